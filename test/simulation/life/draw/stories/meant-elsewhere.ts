import type { JsonObject } from '../../json.ts';
import { put } from '../draft.ts';
import { alter, appear, removeAt } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { eastWith, oldSim, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * An account is to use the credentials of another Secret, which is not there yet, or holds none. What people want meanwhile is
 * meant for where those lead: nothing of it is done with the credentials of before.
 */
export const meantElsewhere: Story = {
  name: 'meant elsewhere',
  wishes: () => ({ ...eastWith({ sims: [oldSim(0), oldSim(1)] }, 6 * MINUTE), hasClusterAccount: false }),
  cast: () => simRoles(4),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [first, second, third, fourth] = cast;
    if (!first || !second || !third || !fourth) return;
    for (const one of [first, second, third]) appear(draft, one, { activated: true }, random.int(2 * SECOND));
    const account = defaultAccount(draft);
    const { credentials, ref } = account;
    const spec = (name: string): JsonObject => ({ credentialsSecretRef: { name } });
    const at = MINUTE + random.int(MINUTE);
    put(draft, { what: 'patch', ref, patch: { spec: spec(random.pick(['none', 'secrets'])) } }, at);
    const meanwhile = () => at + 12 * SECOND + random.int(MINUTE);
    alter(draft, first, { activated: false }, meanwhile());
    alter(draft, second, { displayName: 'Crane' }, meanwhile());
    removeAt(draft, third, meanwhile());
    appear(draft, fourth, {}, meanwhile());
    const back = at + 2 * MINUTE + random.int(MINUTE);
    put(draft, { what: 'patch', ref, patch: { spec: spec(credentials.name) } }, back);
  },
  encore: () => [],
};
