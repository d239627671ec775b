import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { alteration, appear } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { oneAccount, ownCertificate, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const READING = 'GET webaccel/site/:id/certificate';
const UPLOAD = 'PUT webaccel/site/:id/certificate';
/** Of the same dates, so that the list of sites shows no difference between them. */
const [before, next] = ['a-2', 'a-and-b-1'] as const;
/** A third of it on each of its ways, to the connection, to the service and back. */
/** By then a site's certificates were read in their turn. */
const TURN = 600 * SECOND;
const SLOW = 27 * SECOND;

/**
 * A site's certificates are read, and while the answer is under way another one goes there, and the one of before is in the
 * Secret again: what was read is of before both.
 */
export const readMeanwhile: Story = {
  name: 'read meanwhile',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: TURN + 60 * SECOND },
    east: { ...nothing, sites: siteSeed({}, before) },
  }),
  cast: () => [ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal(before));
    appear(draft, ownCertificate, { allowRollback: true }, random.int(2000));
    const fault = { what: 'fault', to: 'service', route: READING, count: 1, skip: 0, milliseconds: SLOW } as const;
    // The next one is in its turn, and at the service before the Secret is changed.
    const at = 60 * SECOND;
    put(draft, { ...fault, fault: 'slow', lasts: TURN }, at);
    const read: Occasion = { moment: 'arrived', to: 'service', route: READING, nth: 1 };
    put(draft, { what: 'upon', process: 0, on: read, later: random.int(2000), act: renewal(next) }, at);
    // Its resource is changed, too, so that it is looked at before the reading is over.
    const touch = alteration(draft, ownCertificate, { allowTemporary: true });
    if (touch) put(draft, { what: 'upon', process: 0, on: read, later: 2300 + random.int(500), act: touch }, at);
    const on: Occasion = { moment: 'answered', to: 'service', route: UPLOAD, nth: 1 };
    put(draft, { what: 'upon', process: 0, on, later: 200 + random.int(1000), act: renewal(before) }, at);
  },
  encore: () => [],
};
