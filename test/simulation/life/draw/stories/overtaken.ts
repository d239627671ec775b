import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { annotateAt, appear, removeAt, role } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import { oneAccount, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const UPLOAD = 'PUT webaccel/site/:id/certificate';
const ABANDON = 'edgeline.dev/abandon';
const own = role('sitecertificates', 'certificate-1', { siteID: SITE_ID, secretRef: { name: 'tls-a' } });
const other = role('sitecertificates', 'certificate-2', { siteID: SITE_ID, secretRef: { name: 'tls-a-2' } });

/**
 * A certificate is about to go on its site when its resource is abandoned. Another one takes the site and puts one there, the
 * same or one of the same dates, so that the list of sites tells no difference; then the first one has the site again.
 */
export const overtaken: Story = {
  name: 'overtaken',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 260 * SECOND },
    east: { ...nothing, sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [own, other],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-1'));
    put(draft, renewal(random.pick(['a-2', 'a-and-b-1']), false, 'tls-a-2'));
    appear(draft, own, {}, random.int(2000));
    const at = 30 * SECOND + random.int(10 * SECOND);
    const slow = { what: 'fault', to: 'service', route: UPLOAD, fault: 'slow', count: 1, skip: 0 } as const;
    put(draft, { ...slow, milliseconds: 9000, lasts: 20 * SECOND }, at - 10);
    const on: Occasion = { moment: 'begun', to: 'service', route: UPLOAD, nth: 1 };
    const act: Act = { what: 'patch', ref: own.ref, patch: { metadata: { annotations: { [ABANDON]: 'true' } } } };
    put(draft, { what: 'upon', process: 0, on, later: random.int(500), act }, at - 10);
    put(draft, renewal('a-2'), at);
    const takes = at + 15 * SECOND + random.int(10 * SECOND);
    appear(draft, other, {}, takes);
    const back = takes + 20 * SECOND + random.int(20 * SECOND);
    removeAt(draft, other, back);
    annotateAt(draft, own, ABANDON, null, back + SECOND + random.int(5 * SECOND));
    expectReady(draft, own, 'it has the site again', back + 30 * SECOND);
  },
  encore: () => [],
};
