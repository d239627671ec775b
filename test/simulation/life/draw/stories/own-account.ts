import { put } from '../draft.ts';
import { credentialsData, type DrawnAccount } from '../setting.ts';
import { BASE_URL, networks, ref, secret } from '../vocabulary.ts';
import { alter, HOME, introduce } from './parts.ts';
import { creation } from './parts-accounts.ts';
import { nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * A namespace that uses the account of the cluster gets one of its own, of another account of the service: what there is stays
 * where it was made, and what comes is made there.
 */
export const ownAccount: Story = {
  name: 'own account',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: true,
    hasOther: true,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, trouble: 5 * MINUTE },
  }),
  arrives: true,
  tell(draft) {
    const { random, drawn } = draft;
    const west = drawn.setting.credentials.find(({ name }) => name === 'west');
    if (!west) return;
    const gateway = { zone: 'is1a', planID: 2, privateInterface: networks[0] };
    introduce(draft, 'mobilegateways', 'gateway-1', gateway, random.int(2000));
    const first = introduce(
      draft,
      'sims',
      'sim-1',
      simSpec(0, { gatewayRef: { name: 'gateway-1' } }),
      random.int(2000),
    );
    introduce(draft, 'sims', 'sim-2', simSpec(1, { activated: true }), random.int(2000));
    const credentials = ref('secrets', HOME, 'service-credentials');
    const account: DrawnAccount = {
      ref: ref('cloudaccounts', HOME, 'default'),
      spec: { baseURL: BASE_URL, credentialsSecretRef: { name: credentials.name } },
      credentials,
      opens: west,
    };
    const at = random.pick([0, MINUTE]) + random.int(MINUTE);
    const opened = secret(HOME, credentials.name, credentialsData(west));
    put(draft, { what: 'create', ref: credentials, manifest: opened, patience: 0 }, at);
    put(draft, creation(account), at + random.int(5000));
    alter(draft, first, { activated: true }, at + random.int(MINUTE));
    introduce(draft, 'sims', 'sim-3', simSpec(2), at + MINUTE + random.int(MINUTE));
    if (random.chance(0.5))
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 20_000 }, at + random.int(MINUTE));
  },
};
