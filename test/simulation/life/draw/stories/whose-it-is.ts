import { EPOCH } from '../../../../../src/shadow/world/process.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { iccids } from '../vocabulary.ts';
import { annotateAt, appear, removeAt } from './parts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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
  cast: (_, random) => (random.chance(0.4) ? gatewayRoles(2) : simRoles(4)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const ways =
      draft.cast[0]?.plural === 'sims'
        ? [restored, observed, abandoned, refused]
        : [restored, observed, abandoned, saidToBeGone];
    const first = random.int(ways.length);
    draft.cast.forEach((role, index) => ways[(first + index) % ways.length]?.(draft, role));
    if (random.chance(0.5)) {
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, 2 * MINUTE + random.int(3 * MINUTE));
    }
  },
};

function restored(draft: Draft, role: Role): void {
  const { random } = draft;
  appear(draft, role, {}, 500);
  const at = MINUTE + random.int(MINUTE);
  // A process that watches sees it without its status first; one that starts anew sees both at once.
  if (random.chance(0.6)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 3000 }, at - 1000);
  put(draft, { what: 'restore', ref: role.ref, withStatus: random.chance(0.6) }, at);
  removeAt(draft, role, at + 10_000 + random.int(2 * MINUTE));
}

/** It comes back from a backup that names what is gone at the service, and a person says that it is. */
function saidToBeGone(draft: Draft, role: Role): void {
  const { random, drawn } = draft;
  appear(draft, role, {}, 500);
  const at = MINUTE + random.int(MINUTE);
  put(draft, { what: 'kill', process: 0, on: undefined, restart: 3000 }, at - 1000);
  put(draft, { what: 'remove', kind: 'gateways', name: role.ref.name }, at);
  put(draft, { what: 'restore', ref: role.ref, withStatus: true }, at);
  const until = `${new Date(EPOCH + HOUR).toISOString().slice(0, 19)}Z`;
  for (const account of drawn.accounts)
    annotateAt(draft, account, 'edgeline.dev/accept-missing-until', until, at + 30_000);
  const why = 'what a person says to be gone is made anew';
  put(draft, { what: 'expect', ref: role.ref, shows: { Ready: 'True' }, why }, at + 150_000);
}

function observed(draft: Draft, role: Role): void {
  appear(draft, role, {}, 500);
  const at = MINUTE + draft.random.int(MINUTE);
  put(draft, { what: 'patch', ref: role.ref, patch: { spec: { managementPolicy: 'Observe' } } }, at);
  removeAt(draft, role, at + 10_000 + draft.random.int(2 * MINUTE));
}

function abandoned(draft: Draft, role: Role): void {
  const { random } = draft;
  appear(draft, role, {}, 500);
  const at = MINUTE + random.int(MINUTE);
  annotateAt(draft, role, 'edgeline.dev/abandon', 'true', at);
  const other =
    role.plural === 'sims'
      ? { activated: random.chance(0.5), imeiLock: '356938035643809' }
      : { internetConnection: true };
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
  appear(draft, role, {}, 500);
  const at = 45_000 + random.int(20_000);
  if (random.chance(0.7)) {
    // Of a request that is under way when its process ends nobody knows what becomes of it: so none is.
    annotateAt(draft, role, 'edgeline.dev/paused', 'true', at - 35_000);
    put(draft, { what: 'stop', process: 0, restart: 10_000 }, at - 5000);
    annotateAt(draft, role, 'edgeline.dev/paused', null, at + 1000);
  }
  put(draft, { what: 'add', account: 'east', kind: 'sims', seed: { iccid, name: 'by hand' } }, at);
  removeAt(draft, role, at + 90_000 + random.int(2 * MINUTE));
}
