import type { JsonObject } from '../../json.ts';
import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { bucketSecret } from '../setting.ts';
import { CANARY, ref } from '../vocabulary.ts';
import { appear, HOME, role } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, newValue, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const ROUTE = 'PUT webaccel/site/:id';
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/** What a site has that the service never shows, and how the next one of it gets into its Secret. */
const courses: readonly { readonly spec: JsonObject; readonly next: (generation: number) => Act }[] = [
  {
    spec: { oneTimeURLSecretRef: { name: 'secrets', key: 'once' } },
    next: (generation) => newValue('secrets', 'once', `${CANARY}-once-${generation}`),
  },
  {
    spec: {
      origin: {
        objectStorage: {
          bucket: 'pictures',
          endpoint: 's3.example.jp',
          region: 'jp-north-1',
          credentialsSecretRef: { name: 'bucket' },
        },
      },
    },
    next: (generation) => ({
      what: 'create',
      ref: ref('secrets', HOME, 'bucket'),
      manifest: bucketSecret(HOME, generation),
      patience: 0,
    }),
  },
];

/** A secret of a site is replaced, what was sent of it is held on its way, and before it arrives there is yet another. */
export const lateSecret: Story = {
  name: 'late secret',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 600 * SECOND },
    east: { ...nothing, sites: siteSeed() },
  }),
  cast: () => [site],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { spec, next } = random.pick(courses);
    appear(draft, site, spec, 500 + random.int(1000));
    const at = 60 * SECOND + random.int(20 * SECOND);
    const milliseconds = 5 * SECOND + random.int(170 * SECOND);
    const held = { what: 'fault', to: 'service', route: ROUTE, fault: 'delayed-arrival', count: 1, skip: 0 } as const;
    put(draft, { ...held, milliseconds, lasts: 30 * SECOND }, at);
    put(draft, next(3), at + 10);
    put(draft, next(4), at + 2 * SECOND + random.int(60 * SECOND));
    if (random.chance(0.3)) {
      const kill = { what: 'kill', process: 0, on: undefined, restart: random.pick([500, 5000]) } as const;
      put(draft, kill, at + SECOND + random.int(60 * SECOND));
    }
  },
};
