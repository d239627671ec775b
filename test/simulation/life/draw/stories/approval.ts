import type { JsonObject } from '../../json.ts';
import type { Role } from '../cast.ts';
import type { Draft } from '../draft.ts';
import { put } from '../draft.ts';
import { alter, annotateAt, appear, removeAt } from './parts.ts';
import { eastWith, iccidOf, oldSim, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const TROUBLE = 16 * MINUTE;
const APPROVE = 'edgeline.dev/approve';
/** The writes after which processes end. */
const WRITES = [
  'PUT /commonserviceitem/:id/sim/activate',
  'PUT /commonserviceitem/:id/sim/deactivate',
  'PUT /commonserviceitem/:id/sim/imeilock',
  'POST /commonserviceitem',
];
const IMEIS = ['356938035643809', '356938035643817'];

/**
 * Whatever is written has to be approved: people change specs and the service, approve what they see, what they saw before,
 * or take it back, while processes end, stand still and see late. In the end, nothing has to be approved any more.
 */
export const approval: Story = {
  name: 'approval',
  wishes: () => eastWith({ sims: [oldSim(0), oldSim(1)] }, TROUBLE),
  cast: () => simRoles(4),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast)
      appear(draft, role, { managementPolicy: 'Approve', ...wish(draft) }, 500 + random.int(1000));
    const end = TROUBLE - 3 * MINUTE;
    for (const role of cast) {
      let at = 20_000 + random.int(MINUTE);
      while (at < end) {
        happen(draft, role, at);
        at += 2000 + random.int(MINUTE);
      }
    }
    for (let at = MINUTE + random.int(MINUTE); at < end; at += 5000 + random.int(4 * MINUTE)) {
      const chance = random.int(4);
      const on = {
        moment: random.pick(['written', 'arrived', 'answered'] as const),
        to: 'service' as const,
        route: random.pick(WRITES),
        nth: 1,
      };
      const restart = 500 + random.int(20_000);
      if (chance <= 1) put(draft, { what: 'kill', process: 0, on: chance === 0 ? on : undefined, restart }, at);
      if (chance === 2)
        put(draft, { what: 'suspend', process: 0, on: undefined, milliseconds: 1000 + random.int(30_000) }, at);
      if (chance === 3) put(draft, { what: 'freeze watches', process: 0, milliseconds: 2000 + random.int(20_000) }, at);
    }
    for (const role of cast) {
      if (draft.present.has(role)) alter(draft, role, { managementPolicy: 'Manage' }, end + random.int(10_000));
      // What was deleted before is approved, once it is asked for at last.
      else
        for (let at = end; at < TROUBLE; at += 10_000) put(draft, { what: 'approve', ref: role.ref, old: false }, at);
    }
  },
  encore: () => [],
};

/** What is approved is done by half, for the service is down, and taken back before the rest of it can be done. */
function takeBack(draft: Draft, role: Role, at: number): void {
  const { random } = draft;
  const route = 'PUT /commonserviceitem/:id/sim/imeilock';
  alter(draft, role, { activated: random.chance(0.5), imeiLock: random.pick(IMEIS) }, at);
  const fault = {
    to: 'service',
    route,
    fault: { service: 'unavailable' },
    count: 20,
    skip: 0,
    milliseconds: 0,
  } as const;
  put(draft, { what: 'fault', ...fault, lasts: 40_000 }, at);
  put(draft, { what: 'approve', ref: role.ref, old: false }, at + 8000);
  annotateAt(draft, role, APPROVE, null, at + 12_000 + random.int(5000));
}

/** What is approved takes seconds to leave, and is taken back before it does. */
function takeBackUnsent(draft: Draft, role: Role, at: number): void {
  const { random } = draft;
  const activated = random.chance(0.5);
  alter(draft, role, { activated }, at);
  const route = `PUT /commonserviceitem/:id/sim/${activated ? 'activate' : 'deactivate'}`;
  const slow = { to: 'service', route, fault: 'slow', count: 1, skip: 0, milliseconds: 18_000 } as const;
  put(draft, { what: 'fault', ...slow, lasts: 40_000 }, at);
  put(draft, { what: 'approve', ref: role.ref, old: false }, at + 8000);
  const on = { moment: 'begun', to: 'service', route, nth: 1 } as const;
  const patch = { metadata: { annotations: { [APPROVE]: null } } };
  put(
    draft,
    { what: 'upon', process: 0, on, later: 100 + random.int(3000), act: { what: 'patch', ref: role.ref, patch } },
    at + 8000,
  );
}

/** One thing that happens to a Sim. */
function happen(draft: Draft, role: Role, at: number): void {
  const { random } = draft;
  const chance = random.int(20);
  if (chance < 8) put(draft, { what: 'approve', ref: role.ref, old: false }, at);
  else if (chance < 10) put(draft, { what: 'approve', ref: role.ref, old: true }, at);
  else if (chance === 10) annotateAt(draft, role, APPROVE, null, at);
  else if (chance < 15) alter(draft, role, wish(draft), at);
  else if (chance === 15 && random.chance(0.2)) removeAt(draft, role, at);
  else if (chance === 16) random.pick([takeBack, takeBackUnsent])(draft, role, at);
  else {
    const activated = random.chance(0.5);
    // With its lock, another plan may have as many calls as the one that was seen.
    const edit = { activated, ...(random.chance(0.4) && { imeiLock: random.pick(IMEIS) }) };
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(random.int(4))]: edit } } }, at);
  }
}

function wish({ random }: Draft): JsonObject {
  return { activated: random.chance(0.6), ...(random.chance(0.5) && { imeiLock: random.pick(IMEIS) }) };
}
