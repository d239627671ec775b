import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { BASE_URL, imeis, ref } from '../vocabulary.ts';
import { alter, HOME, introduce } from './parts.ts';
import { creation, defaultAccount, rotation } from './parts-accounts.ts';
import { eastWith, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const ROUTE = 'PUT /commonserviceitem/:id/sim/imeilock';
/** A third of it until the connection is there. */
const SLOW = 27 * SECOND;

/**
 * A change waits for its connection, and meanwhile its account gets another token: nothing is to be sent with the old one, which
 * another account still has.
 */
export const exchangedUnsent: Story = {
  name: 'exchanged unsent',
  wishes: () => ({ ...eastWith({ sims: [oldSim(0)] }, 100 * SECOND), hasClusterAccount: false, dialect: 'Extended' }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, drawn } = draft;
    const account = defaultAccount(draft);
    const other = drawn.setting.credentials.find(({ name }) => name === 'east-2');
    if (!other) return;
    const credentials = ref('secrets', HOME, 'spare-credentials');
    const spec = { baseURL: BASE_URL, credentialsSecretRef: { name: credentials.name } };
    const spare = { ref: ref('cloudaccounts', HOME, 'spare'), spec, credentials, opens: account.opens };
    put(draft, rotation(spare, account.opens));
    put(draft, creation(spare), 10);
    const sim = introduce(draft, 'sims', 'sim-1', { iccid: iccidOf(0) }, random.int(1000));
    const at = 30 * SECOND + random.int(20 * SECOND);
    const slow = { what: 'fault', to: 'service', route: ROUTE, fault: 'slow', count: 1, skip: 0 } as const;
    put(draft, { ...slow, milliseconds: SLOW, lasts: 10 * SECOND }, at - 10);
    const on: Occasion = { moment: 'begun', to: 'service', route: ROUTE, nth: 1 };
    const later = random.int(1500);
    put(draft, { what: 'upon', process: 0, on, later, act: rotation(account, other) }, at - 10);
    put(draft, { what: 'upon', process: 0, on, later: 30 * SECOND, act: rotation(account, account.opens) }, at - 10);
    alter(draft, sim, { imeiLock: imeis[0] }, at);
  },
  encore: () => [],
};
