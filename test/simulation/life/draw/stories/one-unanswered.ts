import type { Act, Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { seededID } from '../seed.ts';
import { imeis } from '../vocabulary.ts';
import { alter, alteration, introduce } from './parts.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const COUNT = 3;
const ROUTE = 'PUT /commonserviceitem/:id/sim/imeilock';
/** So often a call is tried before it is given up. */
const TRIES = 3;

/** Nothing that one SIM is asked for is answered, again and again; meanwhile the same is wanted of others. */
export const oneUnanswered: Story = {
  name: 'one unanswered',
  wishes: () => eastWith({ sims: Array.from({ length: COUNT }, (_, index) => oldSim(index)) }, 12 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const [silent, ...others] = Array.from({ length: COUNT }, (_, index) =>
      introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000)),
    );
    const fault = random.pick(['stall', { service: 'stall before' }] as const);
    const every = {
      to: 'service',
      route: ROUTE,
      id: seededID('east', 1),
      count: 1e6,
      skip: 0,
      milliseconds: 0,
    } as const;
    put(draft, { what: 'fault', ...every, fault, lasts: 11 * MINUTE }, MINUTE);
    if (silent) alter(draft, silent, { imeiLock: imeis[0] }, MINUTE + 1);
    // It has been given up, and is tried once more.
    const on: Occasion = { moment: 'written', to: 'service', route: ROUTE, nth: TRIES + 1 + random.int(2) };
    for (const one of others) wantMeanwhile(draft, one, on);
  },
  encore: () => [],
};

function wantMeanwhile(draft: Draft, one: Role, on: Occasion): void {
  const later = 500 + draft.random.int(2 * SECOND);
  const upon = (act: Act, after: number) => put(draft, { what: 'upon', process: 0, on, later: after, act });
  const act = alteration(draft, one, { imeiLock: imeis[1] });
  if (act) upon(act, later);
  upon({ what: 'expect', ref: one.ref, why: 'only another is not answered' }, later + 10 * SECOND);
}
