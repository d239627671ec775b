import type { Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { alter, alteration, annotateAt, introduce, removeAt } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ROUTE = 'POST /appliance';
const SPEC = { zone: 'is1a', planID: 2 };
const NAME = 'gateway-1';
const OTHER_PLAN = 3;

/**
 * The creation of a gateway gets no answer, and somebody renames what it made: it is not made again, unless a person asks for
 * another one who was told how. Or nothing was made, and what another resource made then, and let go of, explains itself.
 */
export const renamedUnclear: Story = {
  name: 'renamed unclear',
  wishes: () => emptyEast(12 * MINUTE, { shownAfterCreate: 0 }),
  arrives: true,
  isAlone: true,
  tell: (draft) => (draft.random.chance(0.5) ? renamed(draft) : explained(draft)),
  encore: () => [],
};

function strike(draft: Draft, fault: 'lost-answer' | 'lost-request', at: number): void {
  const which = { to: 'service', route: ROUTE, count: 1, skip: 0, milliseconds: 0 } as const;
  put(draft, { what: 'fault', ...which, fault, lasts: 5 * MINUTE }, at);
}

function renamed(draft: Draft): void {
  const { random } = draft;
  const on: Occasion = { moment: 'arrived', to: 'service', route: ROUTE, nth: 1 };
  strike(draft, 'lost-answer', 0);
  const edited = { gateways: { [NAME]: { name: 'renamed' } } };
  put(draft, { what: 'upon', process: 0, on, later: 1, act: { what: 'edit', patch: edited } });
  if (random.chance(0.4)) put(draft, { what: 'kill', process: 0, on, restart: random.pick([500, 10 * SECOND]) });
  const one = introduce(draft, 'mobilegateways', NAME, SPEC, 500 + random.int(SECOND));
  if (random.chance(0.7)) {
    const other = alteration(draft, one, { displayName: 'another' });
    // Before anything was told.
    if (other) put(draft, { what: 'upon', process: 0, on, later: 20, act: other });
    alter(draft, one, { interDeviceCommunication: true }, 4 * MINUTE + random.int(MINUTE));
  }
  if (random.chance(0.5)) otherPlan(draft, one, 6 * MINUTE);
}

/** Somebody tries another plan, which the service does not have. */
function otherPlan(draft: Draft, one: Role, at: number): void {
  const planIDs = [undefined, OTHER_PLAN, undefined, SPEC.planID];
  planIDs.forEach((planID, index) => alter(draft, one, { planID }, at + index * 40 * SECOND));
}

function explained(draft: Draft): void {
  const { random } = draft;
  const at = 500 + random.int(SECOND);
  strike(draft, 'lost-request', 0);
  const one = introduce(draft, 'mobilegateways', NAME, SPEC, at);
  // As long as nobody knows whether that is still to come.
  const made = at + 3 * SECOND + random.int(5 * SECOND);
  const maker = introduce(draft, 'mobilegateways', 'gateway-2', { ...SPEC, deletionPolicy: 'Orphan' }, made);
  const letGo = made + 6 * SECOND + random.int(10 * SECOND);
  if (random.chance(0.5)) removeAt(draft, maker, letGo);
  else annotateAt(draft, maker, 'edgeline.dev/abandon', 'true', letGo);
  const why = 'what another has made, and let go of, is not what was asked for';
  put(draft, { what: 'expect', ref: one.ref, shows: { Ready: 'True' }, why }, 8 * MINUTE);
}
