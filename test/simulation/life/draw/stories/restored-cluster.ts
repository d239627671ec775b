import { mergePatch } from '../../json.ts';
import type { Act } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, namesOf } from '../draft.ts';
import { drawSpec } from '../specs.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** So many revisions pass. */
const REVISIONS = 1000;

/**
 * etcd is restored from a backup: all versions are lower than those that were seen, or its history is as long as before by the
 * time somebody looks. Meanwhile something was edited, or deleted.
 */
export const restoredCluster: Story = {
  name: 'restored cluster',
  wishes: () => ({ setting: { replicas: 1, leaderElect: false, trouble: 2 * MINUTE } }),
  tell() {},
  encore(draft, random) {
    const why = 'what etcd has again is looked at again';
    const isLong = random.chance(0.4);
    const gone = random.chance(0.4) ? deletion(draft) : undefined;
    const before = gone ?? edit(draft);
    const after = edit(draft);
    if (!before || !after) return [];
    const [meanwhile, since] = isLong ? [0, REVISIONS] : [REVISIONS, 0];
    return [
      { act: { what: 'back up', revisions: meanwhile }, also: [before], within: 3 * MINUTE, why },
      { act: { what: 'restore etcd', revisions: since }, within: 5 * MINUTE, why },
      { act: after, within: 3 * MINUTE, why },
    ];
  },
  isAlone: true,
};

/** It is there again afterwards. */
function deletion(draft: Draft): Act | undefined {
  const sims = [...draft.present.keys()].filter(({ plural }) => plural === 'sims');
  return sims.length === 0 ? undefined : { what: 'delete', ref: draft.random.pick(sims).ref };
}

function edit(draft: Draft): Act | undefined {
  const entries = [...draft.present].filter(([{ plural }]) => plural === 'sims' || plural === 'mobilegateways');
  if (entries.length === 0) return undefined;
  const [role, present] = draft.random.pick(entries);
  return { what: 'patch', ref: role.ref, patch: { spec: mergePatch(present.spec, specOf(draft, role)) } };
}

function specOf(draft: Draft, { plural, fixed, ref: { namespace } }: Role) {
  const around = { gateways: namesOf(draft, 'mobilegateways', namespace), sims: namesOf(draft, 'sims', namespace) };
  return drawSpec(plural, fixed, draft.random, around);
}
