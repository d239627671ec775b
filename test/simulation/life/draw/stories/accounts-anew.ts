import type { Json, JsonObject } from '../../json.ts';
import { type Draft, put } from '../draft.ts';
import { credentialsData } from '../setting.ts';
import { manifest, ref, secret } from '../vocabulary.ts';
import { appear, HOME, removeAt, role } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const spare = ref('secrets', HOME, 'spare-credentials');

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
    role('webaccelsites', 'site-2', { domain: DOMAIN, accountRef: { kind: 'CloudAccount', name: 'spare' } }),
  ],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    const account = defaultAccount(draft);
    const token = drawn.setting.credentials.find(({ name }) => name === 'east-2');
    if (!token) return;
    put(draft, {
      what: 'create',
      ref: spare,
      manifest: secret(HOME, spare.name, credentialsData(token)),
      patience: 0,
    });
    const accounts = [account.ref, ref('cloudaccounts', HOME, 'spare')];
    const spec = (name: string): JsonObject =>
      name === 'spare' ? { ...account.spec, credentialsSecretRef: { name: spare.name } } : account.spec;
    const create = (name: string, later: number) =>
      put(
        draft,
        {
          what: 'create',
          ref: ref('cloudaccounts', HOME, name),
          manifest: manifest('cloudaccounts', HOME, name, spec(name)),
          patience: 10 * MINUTE,
        },
        later,
      );
    create('spare', 100);
    const observed: Json = 'Observe';
    cast.forEach((one, index) => appear(draft, one, index === 0 ? {} : { managementPolicy: observed }, 1000));
    for (let count = 0; count < 8; count++) look(draft, 15_000 + count * 25_000);
    accounts.forEach((one, index) => {
      const site = cast[index];
      const at = 5 * MINUTE + index * MINUTE + random.int(30_000);
      if (site) removeAt(draft, site, at);
      put(draft, { what: 'delete', ref: one }, at + 100);
      const back = 8 * MINUTE + random.int(2 * MINUTE);
      create(one.name, back);
      if (site) appear(draft, site, index === 0 ? {} : { managementPolicy: observed }, back + random.int(5000));
    });
    // Nothing but what is on record tells the next process what was used.
    if (random.chance(0.7)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, 7 * MINUTE);
    for (let count = 0; count < 8; count++) look(draft, 11 * MINUTE + count * 25_000);
  },
};

/** Asked for a look at each site, so that the hours are used up. */
function look(draft: Draft, later: number): void {
  for (const { ref: target } of draft.cast) {
    const metadata = { annotations: { 'edgeline.dev/reconcile-at': String(later) } };
    put(draft, { what: 'patch', ref: target, patch: { metadata } }, later);
  }
}
