import { put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { appear, role } from './parts.ts';
import { emptyEast, iccidOf } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ID = '113321000900';
const passCodeSecretRef = { name: 'secrets', key: passCodeKey(iccidOf(0)) };

/** What waits for a person, what that one does about it, and what the other installation makes of it then. */
const courses = [
  {
    role: role('sims', 'sim-1', { iccid: iccidOf(0) }),
    spec: { passCodeSecretRef },
    kind: 'sims',
    seed: { id: ID, iccid: iccidOf(0), name: 'sim-1' },
    marks: {},
  },
  {
    role: role('mobilegateways', 'gateway-1', { zone: 'is1a' }),
    spec: { planID: 2 },
    kind: 'gateways',
    seed: { id: ID, name: 'gateway-1', zone: 'is1a', instanceStatus: 'up' },
    marks: { booted: true },
  },
] as const;

/** Another installation gets the namespace, makes there what this one could not make before, and goes again. */
export const heldElsewhere: Story = {
  name: 'held elsewhere',
  wishes: () => emptyEast(26 * MINUTE),
  cast: (_, random) => [random.pick(courses).role],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    const [one] = cast;
    const course = courses.find(({ role: other }) => other === one);
    const [namespace = ''] = drawn.namespaces;
    if (!one || !course) return;
    const { spec, kind, seed, marks } = course;
    appear(draft, one, {}, 500 + random.int(2000));
    const at = MINUTE + random.int(MINUTE);
    put(draft, { what: 'hold', namespace, lasts: random.pick([0, 3 * MINUTE]) }, at);
    const asked = at + 5 * SECOND + random.int(20 * SECOND);
    put(draft, { what: 'patch', ref: one.ref, patch: { spec } }, asked);
    const made = asked + SECOND + random.int(20 * SECOND);
    put(draft, { what: 'add', account: 'east', kind, seed: { ...seed } }, made);
    put(draft, { what: 'record', ref: one.ref, id: ID, marks }, made + 500 + random.int(SECOND));
    const renamed = { [kind]: { [ID]: { name: 'renamed' } } };
    if (random.chance(0.3)) put(draft, { what: 'edit', patch: renamed }, made + MINUTE);
    if (random.chance(0.2)) put(draft, { what: 'kill', process: 0, on: undefined, restart: SECOND }, made + 2 * MINUTE);
  },
  // What the other one has made no request of this one asked for.
  encore: () => [],
};
