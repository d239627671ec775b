import { put } from '../draft.ts';
import { BASE_URL, ref } from '../vocabulary.ts';
import { appear, HOME } from './parts.ts';
import { creation, defaultAccount, rotation } from './parts-accounts.ts';
import { expectReady } from './parts-crowd.ts';
import { nothing } from './parts-sims.ts';
import { ownCertificate, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;

/**
 * Two accounts of one namespace, with the same token, share an hour, and one of them has it on record. Then its status can't be written, or that of
 * the other one, and certificates are renewed.
 */
export const keeperLost: Story = {
  name: 'keeper lost',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    isEast: true,
    isTight: false,
    east: { ...nothing, sites: siteSeed() },
    setting: { replicas: 1, leaderElect: false, trouble: 150 * SECOND },
  }),
  cast: () => [ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { opens } = defaultAccount(draft);
    const credentials = ref('secrets', HOME, 'second-credentials');
    const spec = { baseURL: BASE_URL, credentialsSecretRef: { name: credentials.name } };
    const second = { ref: ref('cloudaccounts', HOME, 'second'), spec, credentials, opens };
    put(draft, rotation(second, opens));
    put(draft, creation(second), 10);
    put(draft, renewal('a-1'));
    appear(draft, ownCertificate, {}, 500 + random.int(1000));
    const accounts = random.chance(0.5) ? ['default', 'second'] : ['second', 'default'];
    const renewals = ['a-2', 'a-3'] as const;
    const lost = {
      what: 'fault',
      to: 'kubernetes',
      route: 'patch cloudaccounts/status',
      fault: 'lost-request',
    } as const;
    for (const [index, id] of accounts.entries()) {
      const at = 40 * SECOND + index * 70 * SECOND + random.int(20 * SECOND);
      put(draft, { ...lost, id, count: 1e6, skip: 0, milliseconds: 0, lasts: 12 * SECOND }, at);
      put(draft, renewal(renewals[index] ?? 'a-3'), at + random.int(1000));
      expectReady(draft, ownCertificate, 'only one of the accounts of its hour cannot be written', at + 12 * SECOND);
    }
  },
  encore: () => [],
};
