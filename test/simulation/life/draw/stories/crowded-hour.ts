import type { Fault } from '../../../../../src/shadow/service/faults.ts';
import { HOME } from './parts.ts';
import { change, expectReady, fail, idOfSite, introduceSite, restarts, siteSeeds } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const BROKEN = 18;
const SOUND = 4;

/** With what the changes are answered, or what is looked at before them. */
const faults: readonly Fault[] = [
  'conflict',
  'conflict',
  'locked',
  'internal error',
  'unavailable',
  'not found by a proxy, in JSON',
];

/**
 * For hours many sites that share an hour answer changes with an error, or what is looked at before them, and some processes
 * end: a few others are changed now and then.
 */
export const crowdedHour: Story = {
  name: 'crowded hour',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: true,
    isEast: true,
    webAccelRequestsPerHour: 200,
    east: { ...nothing, sites: siteSeeds(BROKEN + SOUND) },
    setting: { replicas: 1, leaderElect: false, trouble: 180 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sites = Array.from({ length: BROKEN + SOUND }, (_, index) => introduceSite(draft, HOME, index));
    const [broken, sound] = [sites.slice(0, BROKEN), sites.slice(BROKEN)];
    const fault = random.pick(faults);
    const verb = fault === 'conflict' ? 'PUT' : random.pick(['PUT', 'PUT', 'GET']);
    const route = `${verb} webaccel/site/:id${random.pick(['', '/acl'])}`;
    const begun = 65 * MINUTE;
    broken.forEach((site, index) => {
      fail(draft, { route, fault, id: idOfSite(index), lasts: 120 * MINUTE }, begun);
      change(draft, site, begun + random.int(MINUTE));
    });
    // Until each was tried.
    const settled = begun + 75 * MINUTE;
    if (fault === 'conflict') restarts(draft, random.int(4), settled - 30 * MINUTE, 170 * MINUTE);
    for (let at = settled; at < 175 * MINUTE; at += 10 * MINUTE) {
      const site = random.pick(sound);
      change(draft, site, at);
      expectReady(draft, site, `only others are answered with "${fault}" (${route})`, at + 3 * MINUTE);
    }
  },
  encore: () => [],
};
