import type { JsonObject } from '../../json.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import type { ManagedPlural } from '../vocabulary.ts';
import { networks, resolvers } from '../vocabulary.ts';
import { alter, introduce, removeAt } from './parts.ts';
import { eastWith, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const ID = seededID('east', gatewayPlace(0));

interface Course {
  readonly plural: ManagedPlural;
  readonly fixed: JsonObject;
  readonly wanted: readonly [before: JsonObject, last: JsonObject, next: JsonObject];
}

/** Whose it is, what the first makes of it right before it goes, and what the next wants. */
const courses: readonly Course[] = [
  {
    plural: 'sims',
    fixed: { iccid: iccidOf(0) },
    wanted: [{ activated: true }, { activated: false }, { activated: true }],
  },
  {
    plural: 'mobilegateways',
    fixed: { resourceID: ID, zone: 'is1a' },
    wanted: [
      { internetConnection: true, dns: resolvers[0] },
      { internetConnection: false, dns: resolvers[1] },
      { internetConnection: true, dns: resolvers[0] },
    ],
  },
];

/** Two resources are about one SIM, or one gateway: the first changes it, goes, and the next has it in the same moment. */
export const nextOwner: Story = {
  name: 'next owner',
  wishes: () =>
    eastWith(
      {
        gateways: [
          {
            id: ID,
            createdAt: OLD,
            name: 'old-gateway',
            zone: 'is1a',
            privateInterface: networks[0],
            instanceStatus: 'up',
          },
        ],
        sims: [oldSim(0)],
      },
      5 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { plural, fixed, wanted } = random.pick(courses);
    const [before, last, next] = wanted;
    const first = introduce(draft, plural, 'first', { ...fixed, ...before }, 500);
    introduce(draft, plural, 'next', { ...fixed, ...next }, 20_000 + random.int(MINUTE));
    const at = 2 * MINUTE + random.int(MINUTE);
    alter(draft, first, last, at);
    removeAt(draft, first, at + 20 + random.int(random.pick([100, 1000, 5000])));
  },
};
