import { expect, it } from 'vitest';
import { lookWhereShown } from '../../../src/operator/watch-lists.ts';
import type { Wiring } from '../../../src/operator/wiring.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { partial } from '../../support/partial.ts';

const inNamespace = (namespace: string): ManagedObject => partial({ metadata: { namespace, name: 'one' } });

it('what a service shows has nobody looked at who has another account', () => {
  const looked: string[] = [];
  const wiring = partial<Wiring>({
    registry: { accountsOf: () => ['CloudAccount/evil/own'] },
    users: {
      accountOf: ({ metadata }: ManagedObject) =>
        metadata.namespace === 'evil' ? 'CloudAccount/evil/own' : 'ClusterCloudAccount//default',
    },
    enqueue: (key: string, priority: string) => void looked.push(`${key} ${priority}`),
  });
  lookWhereShown(wiring, 'MobileGateway', 'made up', [inNamespace('victim'), inNamespace('evil')]);
  expect(looked).toEqual(['MobileGateway/evil/one observation']);
});
