import { HOLDER_LEASE } from '../../../../src/kubernetes/holdings.ts';
import { at, textAt } from '../json.ts';
import { RIVAL } from '../rivals.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A namespace that another installation holds stays its own until its Lease has run out. */
export const holdingsRespected: AlwaysInvariant = {
  name: 'a namespace of another installation stays its own',
  watch(scene, say) {
    const changedAt = new Map<string, number>();
    return {
      stored({ old, new: lease, resource, user }) {
        const { namespace = '', name } = (lease ?? old)?.metadata ?? {};
        if (resource !== 'leases' || name !== HOLDER_LEASE) return;
        const before = changedAt.get(namespace);
        const now = scene.world.now();
        changedAt.set(namespace, now);
        const holder = textAt(old, 'spec', 'holderIdentity');
        if (user === RIVAL || holder !== RIVAL || before === undefined) return;
        const seconds = Number(at(old, 'spec', 'leaseDurationSeconds'));
        if (now - before >= seconds * 1000 - 1) return;
        say(
          `${user} takes the namespace ${namespace} from ${holder}, who renewed it ${((now - before) / 1000).toFixed(0)} s ago`,
        );
      },
    };
  },
};
