import { put } from '../draft.ts';
import { introduce } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const expressions = [
  { key: 'team', operator: 'NotIn', values: ['trucks'] },
  { key: 'team', operator: 'DoesNotExist' },
  { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['harbour'] },
] as const;

/** An account is for namespaces that lack a label, or a value of it, and is used by one that has no labels. */
export const unlabelled: Story = {
  name: 'unlabelled',
  wishes: () => ({ ...eastWith({ sims: [oldSim(0)] }, 3 * MINUTE), hasClusterAccount: true }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const namespaceSelector = { matchExpressions: [random.pick(expressions)] };
    put(draft, { what: 'patch', ref: defaultAccount(draft).ref, patch: { spec: { namespaceSelector } } });
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0), 500 + random.int(MINUTE));
    expectReady(draft, sim, 'the account is for its namespace', 2 * MINUTE);
  },
  encore: () => [],
};
