import { put } from '../draft.ts';
import { annotateAt, appear } from './parts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import { siteRoles } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** All accounts are paused for minutes, while much is under way or nothing is. */
export const pausedAccount: Story = {
  name: 'paused account',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 8 * MINUTE } }),
  cast: () => [...gatewayRoles(1), ...simRoles(3), ...siteRoles(1)],
  arrives: true,
  tell(draft) {
    const { random, drawn, cast } = draft;
    const at = random.pick([3000, MINUTE]) + random.int(20_000);
    for (const role of cast) appear(draft, role, {}, random.pick([500, at - 2000, at + MINUTE]) + random.int(1000));
    for (const account of drawn.accounts) {
      annotateAt(draft, account, 'edgeline.dev/paused', 'true', at + random.int(1000));
      annotateAt(draft, account, 'edgeline.dev/paused', null, at + 4 * MINUTE + random.int(MINUTE));
    }
    put(
      draft,
      { what: 'edit', patch: { sims: { '8981040000000000001': { activated: random.chance(0.5) } } } },
      at + MINUTE,
    );
  },
};
