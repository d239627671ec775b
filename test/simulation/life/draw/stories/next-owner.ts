import type { JsonObject } from '../../json.ts';
import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import type { ManagedPlural } from '../vocabulary.ts';
import { resolvers } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

interface Course {
  readonly plural: ManagedPlural;
  readonly fixed: JsonObject;
  readonly wanted: readonly [before: JsonObject, last: JsonObject, next: JsonObject];
  /** The last call of the first, and the list that shows it. */
  readonly routes: readonly [write: string, list: string];
}

/** Whose it is, what the first makes of it right before it goes, and what the next wants. */
const courses: readonly Course[] = [
  {
    plural: 'sims',
    fixed: { iccid: iccidOf(0) },
    wanted: [{ activated: true }, { activated: false }, { activated: true }],
    routes: ['PUT /commonserviceitem/:id/sim/deactivate', 'GET /commonserviceitem'],
  },
  {
    plural: 'mobilegateways',
    fixed: { resourceID: gatewayInUseID, zone: 'is1a' },
    wanted: [
      { internetConnection: true, dns: resolvers[0] },
      { internetConnection: false, dns: resolvers[1] },
      { internetConnection: true, dns: resolvers[0] },
    ],
    routes: ['PUT /appliance/:id/config', 'GET /appliance'],
  },
];

/** Two resources are about one SIM, or one gateway: the first changes it, goes, and the next has it in the same moment. */
export const nextOwner: Story = {
  name: 'next owner',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse()],
        sims: [oldSim(0)],
      },
      5 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { plural, fixed, wanted, routes } = random.pick(courses);
    const [before, last, next] = wanted;
    const first = introduce(draft, plural, 'first', { ...fixed, ...before }, 500);
    introduce(draft, plural, 'next', { ...fixed, ...next }, 20_000 + random.int(MINUTE));
    const at = 2 * MINUTE + random.int(MINUTE);
    const [write, list] = routes;
    const on: Occasion = { moment: 'answered', to: 'service', route: write, nth: 1 };
    const fault = { to: 'service', route: list, fault: 'slow', count: 2, skip: 0, milliseconds: 9000 } as const;
    put(draft, { what: 'upon', process: 0, on, later: 0, act: { what: 'fault', ...fault, lasts: MINUTE } }, at);
    const act = { what: 'delete', ref: first.ref } as const;
    put(draft, { what: 'upon', process: 0, on, later: random.pick([1, 200, 2000]), act }, at);
    alter(draft, first, last, at + 10);
    draft.present.delete(first);
  },
};
