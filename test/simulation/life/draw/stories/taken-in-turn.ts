import type { JsonObject } from '../../json.ts';
import { put } from '../draft.ts';
import { bucketSecret } from '../setting.ts';
import { ref } from '../vocabulary.ts';
import { annotateAt, appear, HOME, removeAt, role } from './parts.ts';
import { defaultAccount, rotation } from './parts-accounts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const first = role('webaccelsites', 'site-1', { domain: DOMAIN });
const second = role('webaccelsites', 'site-2', { domain: DOMAIN });

/** What each of the two asks for, of which the service shows nothing. */
const courses: readonly (readonly [JsonObject, JsonObject])[] = [
  [
    { oneTimeURLSecretRef: { name: 'secrets', key: 'once' } },
    { oneTimeURLSecretRef: { name: 'secrets', key: 'once-2' } },
  ],
  [stored('bucket'), stored('bucket-2')],
];

function stored(name: string): JsonObject {
  const place = { bucket: 'pictures', endpoint: 's3.example.jp', region: 'jp-north-1' };
  return { origin: { objectStorage: { ...place, credentialsSecretRef: { name } } } };
}

/**
 * Two resources have a site in turn, each with a secret of its own: one is abandoned, the other takes over, and then it is
 * taken back. While nobody is there the account gets its other token, by which no record tells whose the site is, or only that
 * of who gave it up. At last the first one leaves.
 */
export const takenInTurn: Story = {
  name: 'taken in turn',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 1500 * SECOND },
    east: { ...nothing, sites: siteSeed() },
  }),
  cast: () => [first, second],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, drawn } = draft;
    const account = defaultAccount(draft);
    const other = drawn.setting.credentials.find(({ name }) => name === 'east-2');
    if (!other) return;
    const [one, two] = random.pick(courses);
    const keys = { ...bucketSecret(HOME, 2), metadata: { name: 'bucket-2', namespace: HOME } };
    put(draft, { what: 'create', ref: ref('secrets', HOME, 'bucket-2'), manifest: keys, patience: 0 });
    const moments = [0, 60, 120, 240, 500, 760, 1000].map((at) => (at + random.int(20)) * SECOND);
    const [appears = 0, abandoned = 0, takes = 0, back = 0, exchanged = 0, again = 0, leaves = 0] = moments;
    const isOlder = random.chance(0.5);
    const away = exchanged + random.int(9 * SECOND);
    if (isOlder) {
      appear(draft, second, two);
      // It wants nothing yet.
      annotateAt(draft, second, 'edgeline.dev/abandon', 'true', 10);
      annotateAt(draft, second, 'edgeline.dev/abandon', null, takes);
      put(draft, rotation(account, other), abandoned + random.int(takes - abandoned));
      put(draft, rotation(account, account.opens), away);
    } else {
      appear(draft, second, two, takes);
      put(draft, rotation(account, other), away);
      if (random.chance(0.8)) put(draft, rotation(account, account.opens), again);
    }
    appear(draft, first, one, appears + 3 * SECOND);
    annotateAt(draft, first, 'edgeline.dev/abandon', 'true', abandoned);
    annotateAt(draft, first, 'edgeline.dev/abandon', null, back);
    put(draft, { what: 'kill', process: 0, on: undefined, restart: 10 * SECOND }, exchanged);
    if (random.chance(0.5)) removeAt(draft, first, leaves);
    else annotateAt(draft, first, 'edgeline.dev/abandon', 'true', leaves);
  },
};
