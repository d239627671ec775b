import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { createClaims } from '../../../../src/cli/service/claims.ts';
import type { Session } from '../../../../src/cli/session.ts';
import { budgetOf } from '../../../../src/kinds/cloud-account/record.ts';
import { type Account, cloudAccountResource } from '../../../../src/kinds/cloud-account/schema.ts';
import { timestamp } from '../../../../src/kubernetes/objects.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { memoryClient } from '../../kubernetes/memory-client.ts';

const KEY = 'CloudAccount/fleet/default';
const PATH = 'cloudaccounts/fleet/default';
const signer = {
  identity: 'token',
  digest: (text: string) => createHash('sha256').update(text).digest('base64url'),
};
const limits = { webAccelRequestsPerHour: 500 };

/** As much of a thing as the test plays. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it plays
function partial<T>(value: object): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  return value as T;
}

/** Claims five requests, and has somebody write the status as soon as they are asked for. */
async function claimed(runs: boolean, write: (status: NonNullable<Account['status']>, now: number) => object) {
  const clock = new ManualClock();
  const store = memoryClient();
  const record = (used: number) => budgetOf(KEY, signer, { used, limit: 500, reserved: 0, at: clock.now() });
  const metadata = { namespace: 'fleet', name: 'default', uid: 'u', resourceVersion: '1' };
  const account = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'CloudAccount', metadata, spec: {} };
  store.objects.set(PATH, { ...account, status: { budget: record(3) } });
  store.objects.set('namespaces//fleet', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata, name: 'fleet' },
  });
  const lease = { metadata, spec: { holderIdentity: 'nobody', renewTime: timestamp(clock.now()) } };
  const session = partial<Session>({
    client: store.client,
    time: { latest: () => clock.now() },
    get: store.client.get,
    list: async () => (runs ? [lease] : []),
  });
  const found = { ref: { kind: 'CloudAccount', name: 'default' } as const, resource: cloudAccountResource, key: KEY };
  const claims = createClaims({
    session,
    found: { ...found, namespace: 'fleet', account: partial<Account>(account) },
    signer,
    limits,
    clock,
    random: () => 0.5,
  });
  const outcome = claims.claim(5).then(
    ({ requests }) => `${requests} may be sent`,
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  await clock.advance(100);
  const asked = store.objects.get(PATH);
  const status = partial<Account>(asked ?? {}).status ?? {};
  expect(status.allotments).toHaveLength(1);
  store.objects.set(PATH, { ...account, status: write(status, clock.now()) });
  await clock.advance(60_000);
  return outcome;
}

const counted = '5 may be sent';
const not =
  'the operator did not count the requests that were to be sent for the CloudAccount default, so none was sent';
const signed = (used: number, at: number, counted: readonly string[] = []) =>
  budgetOf(KEY, signer, { used, limit: 500, reserved: 5, at, counted });
type Status = NonNullable<Account['status']>;
const ids = ({ allotments }: Status) => (allotments ?? []).map(({ id }) => id);

it.each<[string, boolean, Parameters<typeof claimed>[1], string]>([
  ['the operator has counted them', true, (status, now) => ({ budget: signed(3, now, ids(status)) }), counted],
  ['somebody took them, and a record without them follows', true, (_, now) => ({ budget: signed(3, now, ['x']) }), not],
  [
    'somebody took them, and names them in a record',
    true,
    (status, now) => ({ budget: { ...signed(3, now), counted: ids(status) } }),
    not,
  ],
  ['they stay on the list', true, (status) => status, not],
  ['somebody took them from the list', true, ({ budget }) => ({ budget }), not],
  ['somebody took them, and changed the record', true, ({ budget }) => ({ budget: { ...budget, used: 8 } }), not],
  [
    'somebody took them, and put an older record back',
    true,
    (status, now) => ({ budget: signed(3, now - 60_000, ids(status)) }),
    not,
  ],
  ['no operator runs', false, (status) => status, counted],
  ['no operator runs, and somebody took them', false, ({ budget }) => ({ budget }), not],
])('what is claimed where %s', async (_, runs, write, expected) => {
  expect(await claimed(runs, write)).toBe(expected);
});
