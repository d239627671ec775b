import { mergePatch } from '../../json.ts';
import type { Act, Occasion } from '../../script.ts';
import { type Draft, namesOf, put } from '../draft.ts';
import { drawSpec } from '../specs.ts';
import { ref } from '../vocabulary.ts';
import type { Story } from './story.ts';

/**
 * Somebody changes his mind while a call for him is under way or waits its turn: pauses, changes or deletes the resource,
 * or pauses its namespace.
 */
export const interrupted: Story = {
  name: 'interrupted',
  wishes: (random) => ({ namespaces: 1, setting: { replicas: 1, trouble: random.pick([120_000, 240_000]) } }),
  tell(draft) {
    const { random } = draft;
    const times = 2 + random.int(4);
    for (let count = 0; count < times; count++) {
      const on: Occasion = {
        moment: random.pick(['begun', 'answered']),
        to: 'service',
        route: undefined,
        nth: 1 + random.int(12),
      };
      const act = changeOfMind(draft);
      if (act)
        put(draft, { what: 'upon', process: 0, on, later: random.pick([0, 0, 20, 400]), act }, random.int(60_000));
    }
  },
};

function changeOfMind(draft: Draft): Act | undefined {
  const { random } = draft;
  const entries = [...draft.present];
  if (entries.length === 0) return undefined;
  const [role, present] = random.pick(entries);
  const paused = { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } };
  const around = {
    gateways: namesOf(draft, 'mobilegateways', role.ref.namespace),
    sims: namesOf(draft, 'sims', role.ref.namespace),
  };
  const spec = drawSpec(role.plural, role.fixed, random, around);
  const acts: readonly Act[] = [
    { what: 'patch', ref: role.ref, patch: paused },
    { what: 'patch', ref: ref('namespaces', undefined, role.ref.namespace ?? ''), patch: paused },
    { what: 'patch', ref: role.ref, patch: { spec: mergePatch(present.spec, spec) } },
    { what: 'delete', ref: role.ref },
  ];
  return random.pick(acts);
}
