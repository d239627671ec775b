import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { tlsSecretName } from '../setting.ts';
import { ref, secret, tlsData } from '../vocabulary.ts';
import { appear, HOME, role } from './parts.ts';
import { DOMAIN, oneAccount, pairOf, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECRET = { secretRef: { name: 'tls-a' } };
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });
const bySite = role('sitecertificates', 'certificate-1', { ...SECRET, siteRef: { name: 'site-1' } });
const byID = role('sitecertificates', 'certificate-1', { ...SECRET, siteID: SITE_ID });

/** Each has one thing wrong with it, or is older than what may be there. */
const wrong = [
  'a-expired',
  'a-expired',
  'a-expired',
  'a-valid-after-two-days',
  'a-1',
  'a-2',
  'b-3',
  'a-temporary',
  'a-self-signed',
] as const;
const good = ['a-2', 'a-3', 'wildcard-3', 'a-and-b-2'] as const;
const HALF_MINUTE = 30_000;

/** Certificates that must not go on a site get into the Secret, and people put others on the site. */
export const wrongCertificate: Story = {
  name: 'wrong certificate',
  wishes: (random) => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: random.pick([360_000, 480_000]) },
    east: { sites: siteSeed({}, random.chance(0.6) ? random.pick(['a-2', 'a-3', 'wildcard-2']) : undefined) },
  }),
  cast: (_, random) => (random.chance(0.5) ? [site, bySite] : [byID]),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal(random.pick(random.chance(0.5) ? good : wrong)));
    // Else what is older hides what else is wrong.
    const allows = random.chance(0.5);
    for (const one of draft.cast)
      appear(draft, one, allows && one.plural === 'sitecertificates' ? { allowRollback: true } : {}, random.int(500));
    if (random.chance(0.4)) put(draft, wrongKey(), 12_000);
    if (random.chance(0.4)) put(draft, wrongOrder(random), 20_000);
    draft.at = 30_000;
    const times = 2 + random.int(4);
    for (let count = 0; count < times; count++) {
      const byHand = { sites: { [DOMAIN]: { certificate: pairOf(random.pick(['a-3', 'a-4', 'a-4'])) } } };
      if (random.chance(0.5)) put(draft, { what: 'edit', patch: byHand });
      put(draft, renewal(random.pick(random.chance(0.3) ? good : wrong), random.chance(0.2)), random.int(40_000));
      draft.at += 40_000 + random.int(20_000);
    }
  },
  encore: (_, random) => [
    {
      act: renewal('a-4', random.chance(0.5)),
      within: HALF_MINUTE,
      why: 'the right certificate is on its site a moment after it is in the Secret',
    },
    { act: renewal('a-4'), within: HALF_MINUTE, why: 'so is a chain that was completed' },
  ],
};

/** A certificate with the key of another one. */
function wrongKey(): Act {
  const name = tlsSecretName(DOMAIN);
  const data = tlsData({ ...pairOf('a-4'), key: pairOf('b-3').key });
  const made = secret(HOME, name, data, 'kubernetes.io/tls');
  return { what: 'create', ref: ref('secrets', HOME, name), manifest: made, patience: 0 };
}

/** A certificate with what did not issue it between it and its issuer, or in place of that. */
function wrongOrder(random: Random): Act {
  const { chain, key } = pairOf('a-4');
  const [leaf = '', issuer = ''] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  const { chain: other } = pairOf(random.pick(['a-3', 'b-3']), true);
  const data = tlsData({ chain: `${leaf}${other}${random.chance(0.5) ? issuer : ''}`, key });
  const name = tlsSecretName(DOMAIN);
  const made = secret(HOME, name, data, 'kubernetes.io/tls');
  return { what: 'create', ref: ref('secrets', HOME, name), manifest: made, patience: 0 };
}
