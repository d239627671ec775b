import type { Act, MessageFault } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { alter, annotateAt, introduce, removeAt } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ROUTE = 'POST /appliance';
const depot = { zone: 'is1a', displayName: 'depot' };
const byHand: Act = { what: 'add', account: 'east', kind: 'gateways', seed: { name: 'depot', zone: 'is1a' } };
const faults: readonly MessageFault[] = ['lost-request', 'lost-request', 'lost-answer', 'delayed-arrival'];

/**
 * A gateway has the name already when another one of it is asked for: a person made it, or a resource that let it go, maybe
 * before any list shows it. Then the request gets lost, or is not answered, and maybe its process dies: what was there before is not what it made.
 */
export const nameBefore: Story = {
  name: 'name before',
  wishes: () => emptyEast(12 * MINUTE, { shownAfterCreate: 0 }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    // So that the zone is listed all the time.
    introduce(draft, 'mobilegateways', 'gateway-3', { zone: 'is1a', planID: 2 }, random.int(SECOND));
    const at = random.pick([letGo, unshown, unshown, made, waited, waited])(draft);
    const fault = random.pick(faults);
    const strike = { to: 'service', route: ROUTE, count: 1, skip: 0, milliseconds: 20 * SECOND } as const;
    put(draft, { what: 'fault', ...strike, fault, lasts: 5 * MINUTE }, at - SECOND);
    if (random.chance(0.6)) {
      const moment = fault === 'lost-answer' ? 'arrived' : 'written';
      const on = { moment, to: 'service', route: ROUTE, nth: 1 } as const;
      put(draft, { what: 'kill', process: 0, on, restart: random.pick([500, 5 * SECOND]) }, at - SECOND);
    }
  },
  encore: () => [],
};

/** Another resource had it, which is gone, or is abandoned. */
function letGo(draft: Draft): number {
  const { random } = draft;
  const maker = introduce(draft, 'mobilegateways', 'gateway-2', { ...depot, planID: 2, deletionPolicy: 'Orphan' });
  if (random.chance(0.5)) removeAt(draft, maker, 2 * MINUTE);
  else annotateAt(draft, maker, 'edgeline.dev/abandon', 'true', 2 * MINUTE);
  const at = 3 * MINUTE + random.int(MINUTE);
  introduce(draft, 'mobilegateways', 'gateway-1', { ...depot, planID: 2 }, at);
  return at;
}

/** Another resource has just made one and is deleted, and no list shows that one for a while. */
function unshown(draft: Draft): number {
  const { random } = draft;
  const late = (shownAfterCreate: number): Act => ({ what: 'settings', settings: { shownAfterCreate } });
  const at = 2 * MINUTE + random.int(MINUTE);
  put(draft, late(40 * SECOND + random.int(MINUTE)), at);
  const maker = introduce(
    draft,
    'mobilegateways',
    'gateway-2',
    { ...depot, planID: 2, deletionPolicy: 'Orphan' },
    at + 1,
  );
  const next = at + 6 * SECOND + random.int(6 * SECOND);
  removeAt(draft, maker, next - 2 * SECOND);
  put(draft, late(0), next - 1);
  introduce(draft, 'mobilegateways', 'gateway-1', { ...depot, planID: 2 }, next);
  return next;
}

/** A person made it before the resource came. */
function made(draft: Draft): number {
  const { random } = draft;
  const at = 3 * MINUTE + random.int(MINUTE);
  put(draft, byHand, at - random.pick([25 * SECOND, 2 * MINUTE]));
  introduce(draft, 'mobilegateways', 'gateway-1', { ...depot, planID: 2 }, at);
  return at;
}

/** The resource has waited for minutes, and a person makes it right before that is over: lists of before do not show it. */
function waited(draft: Draft): number {
  const { random } = draft;
  const isPlan = random.chance(0.5);
  const spec = isPlan ? depot : { ...depot, planID: 2, managementPolicy: 'ApproveChanges' };
  const one = introduce(draft, 'mobilegateways', 'gateway-1', spec, random.int(SECOND));
  const at = 3 * MINUTE + random.int(MINUTE);
  put(draft, byHand, at - (22 * SECOND + random.int(26 * SECOND)));
  if (isPlan) alter(draft, one, { planID: 2 }, at);
  else {
    put(draft, { what: 'approve', ref: one.ref, old: false }, at);
    // What comes after the creation, such as the start, is approved by nobody.
    alter(draft, one, { managementPolicy: undefined }, at + 5 * MINUTE);
  }
  return at;
}
