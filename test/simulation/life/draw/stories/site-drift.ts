import { put } from '../draft.ts';
import { annotateAt, appear } from './parts.ts';
import { DOMAIN, oneAccount, ownCertificate, ownSite, pairOf, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** The list of sites is read every five minutes; then what it shows is read and corrected. */
const LISTED = 6.5 * MINUTE;

/**
 * People change what the list of sites shows, where requests are so few that the turn of details comes much later; or what no
 * list shows, a certificate of the same dates, and somebody asks for a look.
 */
export const siteDrift: Story = {
  name: 'site drift',
  wishes: () => ({
    ...oneAccount,
    webAccelRequestsPerHour: 50,
    setting: { replicas: 1, leaderElect: false, trouble: 180_000 },
    east: { sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [ownSite, ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-2'));
    const origin = { webServer: { host: 'origin.example.jp', hostHeader: 'www.example.jp' } };
    appear(draft, ownSite, { displayName: 'Front', origin }, random.int(3000));
    appear(draft, ownCertificate, { allowRollback: true }, random.int(3000));
    if (random.chance(0.5)) return;
    const at = MINUTE + random.int(MINUTE);
    const certificate = pairOf(random.pick(['a-and-b-1', 'wildcard-2']));
    put(draft, { what: 'edit', patch: { sites: { [DOMAIN]: { certificate } } } }, at);
    const asked = at + 1000 + random.int(30_000);
    annotateAt(draft, ownCertificate, 'edgeline.dev/reconcile-at', 'now', asked);
  },
  encore(_, random) {
    const settings = [{ Name: 'Renamed' }, { Origin: 'elsewhere.example.jp' }, { HostHeader: 'elsewhere.example.jp' }];
    const edits = [
      { settings: random.pick(settings) },
      { certificate: random.chance(0.3) ? null : pairOf(random.pick(['a-1', 'a-3', 'a-4'])) },
      { settings: random.pick(settings) },
    ];
    return edits.map((edit) => ({
      act: { what: 'edit', patch: { sites: { [DOMAIN]: edit } } },
      within: LISTED,
      why: 'what the list of sites shows is put back with the next one',
    }));
  },
};
