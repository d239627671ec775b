import type { MessageFault } from '../../script.ts';
import { put } from '../draft.ts';
import { CANARY, ref } from '../vocabulary.ts';
import { appear, HOME, role } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, newValue, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const unanswered: readonly MessageFault[] = [
  'lost-answer',
  { service: 'gateway timeout after' },
  { service: 'garbage' },
];

/** What a spec has of a key of the Secret that the service never shows. */
const courses = [
  {
    key: 'once',
    value: (generation: number) => `${CANARY}-once-${generation}`,
    route: 'PUT webaccel/site/:id',
    role: role('webaccelsites', 'site-1', {
      domain: DOMAIN,
      oneTimeURLSecretRef: { name: 'secrets', key: 'once' },
    }),
  },
  {
    key: 'webhook',
    value: (generation: number) => `https://chat.example.jp/${CANARY}-hook-${generation}`,
    route: 'PUT /appliance/:id/mobilegateway/traffic_monitoring',
    role: role('mobilegateways', 'gateway-1', {
      zone: 'is1a',
      planID: 2,
      trafficMonitoring: { quotaMB: 512, chatWebhookSecretRef: { name: 'secrets', key: 'webhook' } },
    }),
  },
] as const;

/** A secret is replaced, its write has no answer, its Secret is missing for a while, and then it is the one of before again. */
export const undecidedSecret: Story = {
  name: 'undecided secret',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 600 * SECOND },
    east: { ...nothing, sites: siteSeed() },
  }),
  cast: (_, random) => [random.pick(courses).role],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [one] = cast;
    const course = courses.find(({ role: other }) => other === one);
    if (!one || !course) return;
    const { key, route, value } = course;
    appear(draft, one, {}, 500 + random.int(1000));
    const at = 60 * SECOND + random.int(20 * SECOND);
    const fault = random.pick(unanswered);
    put(
      draft,
      { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds: 0, lasts: 90 * SECOND },
      at,
    );
    put(draft, newValue('secrets', key, value(3)), at + 10);
    const gone = { what: 'patch', ref: ref('secrets', HOME, 'secrets'), patch: { data: { [key]: null } } } as const;
    const on = { moment: random.pick(['arrived', 'answered'] as const), to: 'service', route, nth: 1 } as const;
    put(draft, { what: 'upon', process: 0, on, later: random.int(200), act: gone }, at);
    const back = at + 30 * SECOND + random.int(270 * SECOND);
    put(draft, newValue('secrets', key, value(random.chance(0.8) ? 1 : 3)), back);
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, back - 10 * SECOND);
  },
};
