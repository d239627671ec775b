import { alter, appear, role } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/** Any origin may read a site, and who takes it over writes that none may: `cors: null` is not the same as no word of it. */
export const offByNull: Story = {
  name: 'off by null',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 4 * MINUTE },
    east: { ...nothing, sites: siteSeed({ CORSRules: [{ AllowsAnyOrigin: true }] }) },
  }),
  cast: () => [site],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    appear(draft, site, { cors: null }, 500 + random.int(SECOND));
    if (random.chance(0.5)) alter(draft, site, { displayName: 'Shop' }, MINUTE + random.int(MINUTE));
  },
  encore: () => [],
};
