import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { CANARY } from '../vocabulary.ts';
import { amendment, appear, role } from './parts.ts';
import { DOMAIN, newValue, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const site = role('webaccelsites', 'site-1', { domain: DOMAIN });
const ROUTE = 'PUT webaccel/site/:id';

/** A secret that the service never shows is changed, the answer is lost, and somebody changes it back. */
export const oneTimeSecret: Story = {
  name: 'one-time secret',
  wishes: (random) => ({
    ...oneAccount,
    dialect: random.pick(['Extended', 'Documented']),
    setting: { replicas: 1, leaderElect: false, trouble: 180_000 },
    east: { sites: siteSeed() },
  }),
  cast: () => [site],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const spec = (key: string) => ({ oneTimeURLSecretRef: { name: 'secrets', key } });
    draft.at = 1000;
    appear(draft, site, spec('once'));
    draft.at = 25_000 + random.int(20_000);
    const fault = random.pick([
      'lost-answer',
      'lost-answer',
      { service: 'gateway timeout after' },
      { service: 'garbage' },
    ] as const);
    put(draft, {
      what: 'fault',
      to: 'service',
      route: ROUTE,
      fault,
      count: 1,
      skip: 0,
      milliseconds: 1000,
      lasts: 90_000,
    });
    const on: Occasion = { moment: random.pick(['written', 'arrived']), to: 'service', route: ROUTE, nth: 1 };
    const later = random.pick([0, 0, 20, 200]);
    const isByKey = random.chance(0.5);
    const there = isByKey ? amendment(draft, site, spec('once-2')) : newValue('secrets', 'once', `${CANARY}-once-3`);
    const back = isByKey ? amendment(draft, site, spec('once')) : newValue('secrets', 'once', `${CANARY}-once-1`);
    if (back) put(draft, { what: 'upon', process: 0, on, later, act: back }, 100);
    if (there) put(draft, there, 200);
  },
};
