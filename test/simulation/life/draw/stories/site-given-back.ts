import type { JsonObject } from '../../json.ts';
import { annotateAt, appear, removeAt, role } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const ABANDON = 'edgeline.dev/abandon';
const lender = role('webaccelsites', 'lender', { domain: DOMAIN });
const borrower = role('webaccelsites', 'borrower', { domain: DOMAIN });

/** What both ask for, in turn. */
const courses: readonly (readonly [JsonObject, JsonObject])[] = [
  [{ defaultCacheTTL: 10 }, { defaultCacheTTL: 20 }],
  [{ vary: true }, { vary: false }],
  [{ accessControl: ['deny 192.0.2.1'] }, { accessControl: ['deny 192.0.2.2'] }],
];

/** A resource gives its site to another one, which makes something else of it, and gets it back. */
export const siteGivenBack: Story = {
  name: 'site given back',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 240 * SECOND },
    east: { ...nothing, sites: siteSeed() },
  }),
  cast: () => [lender, borrower],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const [one, other] = random.pick(courses);
    const moments = [0, 20, 40, 80, 120, 160].map((at) => (at + random.int(at === 0 ? 3 : 15)) * SECOND);
    const [first = 0, abandoned = 0, takes = 0, asks = 0, back = 0, seen = 0] = moments;
    appear(draft, lender, one, first);
    annotateAt(draft, lender, ABANDON, 'true', abandoned);
    appear(draft, borrower, other, takes);
    annotateAt(draft, lender, ABANDON, null, asks);
    if (random.chance(0.5)) removeAt(draft, borrower, back);
    else annotateAt(draft, borrower, ABANDON, 'true', back);
    expectReady(draft, lender, 'it has the site again', seen);
  },
  encore: () => [],
};
