import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { iccids } from '../vocabulary.ts';
import { annotateAt, bring, gatewayRoles, removeAt, simRoles } from './scenes.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * Whose something at the service is changes between its creation and the deletion of its resource: that comes back from a
 * backup, is only to observe, is abandoned, or was refused and finds what people made instead.
 */
export const whoseItIs: Story = {
  name: 'whose it is',
  wishes: () => ({
    namespaces: 1,
    setting: { replicas: 1, leaderElect: false, trouble: 6 * MINUTE, service: { stillCreatingMs: 0 } },
  }),
  cast: (drawn, random) => (random.chance(0.3) ? gatewayRoles(drawn, 2) : simRoles(drawn, 4)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    draft.cast.forEach((role, index) => {
      const ways = role.plural === 'sims' ? [restored, observed, abandoned, refused] : [restored, observed, abandoned];
      const way = ways[(index + random.int(2)) % ways.length] ?? restored;
      way(draft, role);
    });
    if (random.chance(0.5)) {
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, 30_000 + random.int(3 * MINUTE));
    }
  },
};

function restored(draft: Draft, role: Role): void {
  const { random } = draft;
  bring(draft, role, {}, 500);
  const at = MINUTE + random.int(MINUTE);
  // A process that watches sees it without its status first; one that starts anew sees both at once.
  if (random.chance(0.6)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 3000 }, at - 1000);
  put(draft, { what: 'restore', ref: role.ref, withStatus: random.chance(0.6) }, at);
  removeAt(draft, role, at + 10_000 + random.int(2 * MINUTE));
}

function observed(draft: Draft, role: Role): void {
  bring(draft, role, {}, 500);
  const at = MINUTE + draft.random.int(MINUTE);
  put(draft, { what: 'patch', ref: role.ref, patch: { spec: { managementPolicy: 'Observe' } } }, at);
  removeAt(draft, role, at + 10_000 + draft.random.int(2 * MINUTE));
}

function abandoned(draft: Draft, role: Role): void {
  const { random } = draft;
  bring(draft, role, {}, 500);
  const at = MINUTE + random.int(MINUTE);
  annotateAt(draft, role, 'edgeline.dev/abandon', 'true', at);
  const other =
    role.plural === 'sims' ? { activated: random.chance(0.5), imeiLock: '356938035643809' } : { internetConnection: true };
  put(draft, { what: 'patch', ref: role.ref, patch: { spec: other } }, at + 10_000 + random.int(30_000));
  if (random.chance(0.7)) removeAt(draft, role, at + 50_000 + random.int(2 * MINUTE));
}

/** A registration is refused for a minute; meanwhile somebody does it by hand, and the operator may be started anew. */
function refused(draft: Draft, role: Role): void {
  const { random } = draft;
  const iccid = role.fixed['iccid'];
  if (typeof iccid !== 'string' || !iccids.includes(iccid)) return;
  const fault = { service: random.pick(['conflict', 'locked', 'conflict that repeats what was sent'] as const) };
  const route = 'POST /commonserviceitem';
  const skip = 0;
  put(draft, { what: 'fault', to: 'service', route, fault, count: 1000, skip, milliseconds: 0, lasts: 2 * MINUTE }, 1);
  bring(draft, role, {}, 500);
  const at = 10_000 + random.int(50_000);
  if (random.chance(0.7)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 15_000 }, at - 5000);
  put(draft, { what: 'add', account: 'east', kind: 'sims', seed: { iccid, name: 'by hand' } }, at);
  removeAt(draft, role, at + 90_000 + random.int(2 * MINUTE));
}
