import { HOME } from './parts.ts';
import { change, expectReady, introduceSite, siteSeeds } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const BUSY = 6;

/** One namespace changes its sites all the time, more often than the hour allows; others of the same account do now and then. */
export const oneAgainstAll: Story = {
  name: 'one against all',
  wishes: (random) => ({
    namespaces: 3,
    hasClusterAccount: true,
    isEast: true,
    webAccelRequestsPerHour: 100 + random.int(40),
    east: { ...nothing, sites: siteSeeds(BUSY + 2) },
    setting: { replicas: 1, leaderElect: false, trouble: 105 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const busy = Array.from({ length: BUSY }, (_, index) => introduceSite(draft, HOME, index));
    const others = ['harbour', 'depot'].map((namespace, index) => introduceSite(draft, namespace, BUSY + index));
    const begun = 5 * MINUTE;
    const often = (50 + random.int(30)) * 1000;
    for (let at = begun; at < 100 * MINUTE; at += often) change(draft, random.pick(busy), at);
    others.forEach((site, index) => {
      // Once an hour: who had little has its part of what is kept.
      for (let at = (65 + 10 * index) * MINUTE + random.int(9 * MINUTE); at < 100 * MINUTE; at += 65 * MINUTE) {
        change(draft, site, at);
        expectReady(draft, site, 'only another namespace asks for more than there is', at + 4 * MINUTE);
      }
    });
  },
  encore: () => [],
};
