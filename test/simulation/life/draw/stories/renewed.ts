import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { Act, MessageFault, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { appear, role } from './parts.ts';
import { DOMAIN, oneAccount, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const site = role('webaccelsites', 'site-1', { domain: DOMAIN });
const SECRET = { secretRef: { name: 'tls-a' } };
const bySite = role('sitecertificates', 'certificate-1', { ...SECRET, siteRef: { name: 'site-1' } });
const byID = role('sitecertificates', 'certificate-1', { ...SECRET, siteID: SITE_ID });

/** Of the same dates, so that the list of sites shows no difference between them. */
const alike = [
  ['a-2', 'a-and-b-1', 'wildcard-2'],
  ['a-3', 'a-and-b-2', 'wildcard-3'],
] as const;
const unclear: readonly MessageFault[] = [
  'lost-answer',
  'stall',
  // The likeliest to cost the previous certificate: nobody sees it for a while.
  'delayed-arrival',
  'delayed-arrival',
  'delayed-arrival',
  'delayed-arrival',
  'lost-request',
  { service: 'cut after' },
  { service: 'gateway timeout after' },
  { service: 'timeout after' },
  { service: 'internal error after' },
  { service: 'bad gateway' },
  { service: 'garbage' },
];

/** A certificate is renewed, and just then the upload goes astray, or the process dies. */
export const renewed: Story = {
  name: 'renewed',
  wishes: (random) => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: random.pick([240_000, 420_000]) },
    east: { sites: siteSeed({}, random.chance(0.7) ? 'a-1' : undefined) },
  }),
  cast: (_, random) => (random.chance(0.5) ? [site, bySite] : [byID]),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const group = random.pick(alike);
    draft.at = 0;
    put(draft, renewal('a-1'));
    for (const one of draft.cast) appear(draft, one, {}, random.int(500));
    draft.at = 20_000;
    const times = 1 + random.int(3);
    let certificate: string = random.pick(group);
    for (let count = 0; count < times; count++) {
      // Now and then the same with another chain.
      if (random.chance(0.6)) certificate = random.pick(group);
      trouble(random).forEach((act) => put(draft, act));
      put(draft, renewal(certificate, random.chance(0.4)), 1 + random.int(2000));
      draft.at += random.pick([20_000, 60_000, 120_000]) + random.int(10_000);
    }
  },
};

/** Of the next upload. */
function trouble(random: Random): Act[] {
  // With two certificates the one before tells which of the two uploads came first.
  return ['PUT webaccel/site/:id/certificate', 'POST webaccel/site/:id/certificate'].flatMap((route): Act[] => {
    const on: Occasion = { moment: random.pick(['written', 'arrived', 'answered']), to: 'service', route, nth: 1 };
    const kill: Act = { what: 'kill', process: 0, on, restart: random.pick([500, 5000]) };
    const fault: Act = {
      what: 'fault',
      to: 'service',
      route,
      fault: random.pick(unclear),
      count: random.pick([1, 1, 2]),
      skip: 0,
      milliseconds: 2000 + random.int(100_000),
      lasts: 60_000,
    };
    return random.chance(0.15) ? [] : random.chance(0.4) ? [kill] : [fault];
  });
}
