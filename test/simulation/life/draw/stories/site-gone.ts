import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { HOME, removeAt } from './parts.ts';
import { introduceSite, siteSeeds } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const SITES = 4;

/** The list of sites is read every five minutes: what somebody removes before the next one is missed as soon as that is there. */
export const siteGone: Story = {
  name: 'site gone',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: true,
    isEast: true,
    // So few that the details of each are rarely looked at: the list tells.
    webAccelRequestsPerHour: 60,
    east: { ...nothing, sites: siteSeeds(SITES) },
    setting: { replicas: 1, leaderElect: false, trouble: 17 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sites = Array.from({ length: SITES }, (_, index) => introduceSite(draft, HOME, index));
    const gone = random.int(SITES);
    const site = sites[gone];
    if (!site) return;
    const on: Occasion = { moment: 'answered', to: 'service', route: 'GET webaccel/site', nth: 2 };
    const remove = { what: 'remove', kind: 'sites', name: `site-${gone + 1}.example.jp` } as const;
    // Between two lists there are four and a half minutes at least, and five and a half at most.
    const later = 4 * MINUTE;
    put(draft, { what: 'upon', process: 0, on, later, act: remove }, MINUTE);
    const shows = { Ready: 'False' };
    const expected = { what: 'expect', ref: site.ref, shows, why: 'a list without its site was read' } as const;
    put(draft, { what: 'upon', process: 0, on, later: later + 95 * SECOND, act: expected }, MINUTE);
    // There is no more to see.
    removeAt(draft, site, 17 * MINUTE - 5 * SECOND);
  },
  encore: () => [],
};
