import { HOLDER_LEASE } from '../../../../src/kubernetes/holdings.ts';
import { at, textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { RIVAL } from '../rivals.ts';
import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Its holder stops so early, for whoever wants a Lease measures its time by a clock of its own. */
const ACT_SHARE = 0.8;

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

/**
 * Who could not renew a Lease does nothing in its namespace after twelve of its fifteen minutes, whatever is seen of it:
 * another installation may have it soon.
 */
export const heldInTime: AlwaysInvariant = {
  name: 'nothing is done for a namespace held no more',
  watch(scene, say) {
    /** Until when who renewed it last may act, by namespace. */
    const until = new Map<string, number>();
    return {
      stored({ old, new: lease, resource, user }) {
        const { namespace = '', name } = (lease ?? old)?.metadata ?? {};
        if (resource !== 'leases' || name !== HOLDER_LEASE || user === RIVAL) return;
        const seconds = Number(at(lease, 'spec', 'leaseDurationSeconds'));
        if (lease && user !== USER) until.set(namespace, scene.world.now() + seconds * 1000 * ACT_SHARE);
        // In a namespace that is being deleted there is none, and what is in it goes all the same.
        else until.delete(namespace);
      },
      message(moment, { to, verb, route, target, process }) {
        if (moment !== 'written' || to !== 'service' || verb === 'GET') return;
        const named: readonly string[] = target.match(/\d{12}/g) ?? [];
        const owners = scene.intent.all.filter(
          ({ goneAt, ids, object }) =>
            goneAt === undefined && named.includes(ids.at(-1) ?? textAt(object, 'status', 'siteID') ?? ''),
        );
        const now = scene.world.now();
        if (owners.length === 0 || owners.some(({ namespace }) => (until.get(namespace) ?? Infinity) >= now)) return;
        say(`${process} sends ${route} for ${owners.map(nameOf).join(' or ')}, and renewed its Lease too long ago`);
      },
    };
  },
};
