import { put } from '../draft.ts';
import { appear, role } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, pairOf, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const wanted = { siteID: SITE_ID, secretRef: { name: 'tls-a' }, managementPolicy: 'Approve' };
/** Of the same dates, so that the list of sites shows no difference between them. */
const [before, next] = ['a-2', 'a-and-b-1'] as const;
const certificate = role('sitecertificates', 'certificate-1', wanted);

/** A certificate waits to be approved, meanwhile somebody puts it on the site by hand, and then it is approved. */
export const approvedLate: Story = {
  name: 'approved late',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 30 * MINUTE },
    east: { ...nothing, sites: siteSeed({}, before) },
  }),
  cast: () => [certificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal(next));
    appear(draft, certificate, {}, 500 + random.int(1000));
    const byHand = { sites: { [DOMAIN]: { certificate: pairOf(next) } } };
    const at = 3 * MINUTE + random.int(4 * MINUTE);
    if (random.chance(0.8)) put(draft, { what: 'edit', patch: byHand }, at);
    put(
      draft,
      { what: 'approve', ref: certificate.ref, old: false },
      at + 65_000 + random.int(random.pick([1, 10]) * MINUTE),
    );
  },
  encore: () => [],
};
