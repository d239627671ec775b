import { HOME, removeAt } from './parts.ts';
import { expectReady, introduceSite, siteSeeds } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** So many use up the hour, and so many come behind the one that then waits longest. */
const EARLY = 7;
const LATE = 10;

/** The hour is used up when a site is to be read first; many that come after it wait behind it for the next hour. */
export const firstCome: Story = {
  name: 'first come',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: true,
    isEast: true,
    webAccelRequestsPerHour: 10,
    east: { ...nothing, sites: siteSeeds(EARLY + 1 + LATE) },
    // What is challenged stands at the end of the line once more.
    setting: { service: { nonceLifetime: 180 * MINUTE }, replicas: 1, leaderElect: false, trouble: 65 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const others = Array.from({ length: EARLY }, (_, index) => introduceSite(draft, HOME, index));
    draft.at = 2 * MINUTE + random.int(MINUTE);
    const first = introduceSite(draft, HOME, EARLY);
    expectReady(draft, first, 'others that wait came later', 62 * MINUTE);
    for (let index = EARLY + 1; index <= EARLY + LATE; index++) {
      draft.at += 10 * SECOND + random.int(20 * SECOND);
      others.push(introduceSite(draft, HOME, index));
    }
    // There is no more to see.
    draft.at = 64 * MINUTE;
    for (const site of others) removeAt(draft, site, random.int(30 * SECOND));
  },
  encore: () => [],
};
