import type { Act, Encore } from '../../script.ts';
import { put } from '../draft.ts';
import type { DrawnAccount } from '../setting.ts';
import { BASE_URL, ref } from '../vocabulary.ts';
import { HOME, introduce } from './parts.ts';
import { creation, rotation } from './parts-accounts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Of two accounts that share an hour the status of one can't be written, and a certificate is renewed. */
export const unrecorded: Story = {
  name: 'unrecorded',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: true,
    isEast: true,
    isTight: false,
    east: { ...nothing, sites: siteSeed() },
    setting: { replicas: 1, leaderElect: false, trouble: 3 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, drawn } = draft;
    const [east] = drawn.setting.credentials;
    if (!east) return;
    const credentials = ref('secrets', HOME, 'own-credentials');
    const own: DrawnAccount = {
      ref: ref('cloudaccounts', HOME, 'own'),
      spec: { baseURL: BASE_URL, credentialsSecretRef: { name: credentials.name } },
      credentials,
      opens: east,
    };
    put(draft, rotation(own, east));
    put(draft, creation(own), 10);
    put(draft, renewal('a-1'));
    const accountRef = random.chance(0.5)
      ? { kind: 'CloudAccount', name: 'own' }
      : { kind: 'ClusterCloudAccount', name: 'default' };
    const site = { siteRef: { name: 'site-1' }, secretRef: { name: 'tls-a' }, accountRef };
    introduce(draft, 'webaccelsites', 'site-1', { domain: DOMAIN, accountRef }, 500 + random.int(1000));
    introduce(draft, 'sitecertificates', 'certificate-1', site, 500 + random.int(1000));
  },
  encore(_, random): Encore[] {
    const resource = random.pick(['cloudaccounts/status', 'clustercloudaccounts/status']);
    const denial: Act = { what: 'deny', verb: 'patch', resource, lasts: 20 * MINUTE };
    const why = 'a certificate goes in though one of the accounts of its hour cannot be written';
    return [
      { act: denial, within: 5 * MINUTE, why: 'that a status cannot be written changes nothing' },
      { act: renewal('a-2'), within: MINUTE, why },
      { act: renewal('a-3'), within: MINUTE, why },
    ];
  },
};
