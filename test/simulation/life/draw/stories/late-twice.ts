import type { Json } from '../../json.ts';
import { put } from '../draft.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { emptyEast, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;

interface Course {
  readonly field: string;
  readonly route: string;
  readonly values: readonly [first: Json, second: Json];
}

const [lock, otherLock] = imeis;
const courses: readonly Course[] = [
  { field: 'imeiLock', route: 'PUT /commonserviceitem/:id/sim/imeilock', values: [lock, otherLock] },
  { field: 'displayName', route: 'PUT /commonserviceitem/:id', values: ['Crane', 'Barge'] },
  {
    field: 'carriers',
    route: 'PUT /commonserviceitem/:id/sim/network_operator_config',
    values: [[{ name: 'KDDI', allow: false }], [{ name: 'SoftBank', allow: false }]],
  },
];

/** Two writes of one field have no answer, and arrive one after the other, the first one last, when its user has thought better of it. */
export const lateTwice: Story = {
  name: 'late twice',
  wishes: () => ({ ...emptyEast(600 * SECOND), dialect: 'Extended' }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { field, route, values } = random.pick(courses);
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0));
    const at = 60 * SECOND;
    // Before the first can no more arrive, or after it was looked for.
    const gap = random.pick([5, 5, 230]) * SECOND + random.int(30 * SECOND);
    const late = { what: 'fault', to: 'service', route, fault: 'delayed-arrival', count: 1, skip: 0 } as const;
    const first = 60 * SECOND + random.int(80 * SECOND);
    put(draft, { ...late, milliseconds: first, lasts: 5 * SECOND }, at - 10);
    alter(draft, sim, { [field]: values[0] }, at);
    const second = 5 * SECOND + random.int(50 * SECOND);
    if (gap > first) alter(draft, sim, { [field]: undefined }, at + 20 * SECOND);
    put(draft, { ...late, milliseconds: second, lasts: 60 * SECOND }, at + gap);
    alter(draft, sim, { [field]: values[1] }, at + gap + 10);
    const left = at + gap + random.int(20 * SECOND) + 100;
    alter(draft, sim, { [field]: random.chance(0.8) ? undefined : values[0] }, left);
  },
};
