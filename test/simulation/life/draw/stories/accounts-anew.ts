import { type Draft, put } from '../draft.ts';
import type { DrawnAccount } from '../setting.ts';
import { ref } from '../vocabulary.ts';
import { appear, HOME, removeAt, role } from './parts.ts';
import { creation, defaultAccount, rotation } from './parts-accounts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Accounts of two tokens use up their hours, go one after the other, and come again before the hours are over. */
export const accountsAnew: Story = {
  name: 'accounts anew',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    isEast: true,
    webAccelRequestsPerHour: 6,
    east: { ...nothing, sites: siteSeed() },
    setting: { replicas: 1, leaderElect: false, trouble: 16 * MINUTE },
  }),
  cast: () => [
    role('webaccelsites', 'site-1', { domain: DOMAIN }),
    role('webaccelsites', 'site-2', {
      domain: DOMAIN,
      accountRef: { kind: 'CloudAccount', name: 'spare' },
      managementPolicy: 'Observe',
    }),
  ],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    const opens = drawn.setting.credentials.find(({ name }) => name === 'east-2');
    if (!opens) return;
    const account = defaultAccount(draft);
    const credentials = ref('secrets', HOME, 'spare-credentials');
    const spare: DrawnAccount = {
      ref: ref('cloudaccounts', HOME, 'spare'),
      spec: { ...account.spec, credentialsSecretRef: { name: credentials.name } },
      credentials,
      opens,
    };
    put(draft, rotation(spare, opens));
    put(draft, creation(spare), 100);
    for (const one of cast) appear(draft, one, {}, 1000);
    for (let count = 0; count < 8; count++) look(draft, 15_000 + count * 25_000);
    for (const [index, one] of [account, spare].entries()) {
      const site = cast[index];
      const at = 5 * MINUTE + index * MINUTE + random.int(30_000);
      if (site) removeAt(draft, site, at);
      put(draft, { what: 'delete', ref: one.ref }, at + 100);
      const back = 8 * MINUTE + random.int(2 * MINUTE);
      put(draft, creation(one), back);
      if (site) appear(draft, site, {}, back + random.int(5000));
    }
    // Nothing but what is on record tells the next process what was used.
    if (random.chance(0.7)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, 7 * MINUTE);
    for (let count = 0; count < 8; count++) look(draft, 11 * MINUTE + count * 25_000);
  },
};

/** Somebody asks for a look at each site: that uses up the hours. */
function look(draft: Draft, later: number): void {
  for (const { ref: target } of draft.cast) {
    const metadata = { annotations: { 'edgeline.dev/reconcile-at': String(later) } };
    put(draft, { what: 'patch', ref: target, patch: { metadata } }, later);
  }
}
