import type { JsonObject } from '../../json.ts';
import { alteration, creation, role, shows } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/** What the spec has at first, what somebody changes at the service, and what the spec asks for then: as it was before. */
const courses: readonly { readonly spec: JsonObject; readonly edit: JsonObject; readonly next: JsonObject }[] = [
  { spec: { vary: true }, edit: { DefaultCacheTTL: 61 }, next: { defaultCacheTTL: 120 } },
  { spec: { vary: true }, edit: { DefaultCacheTTL: 0 }, next: { defaultCacheTTL: 120, accessControl: ['allow all'] } },
  { spec: { defaultCacheTTL: 120 }, edit: { VarySupport: 0 }, next: { vary: true } },
  { spec: { defaultCacheTTL: 120 }, edit: { NormalizeAE: 1 }, next: { normalizeAcceptEncoding: 'BrotliAndGzip' } },
];

/**
 * In quiet times a resource takes over a site, of which the settings are read first. Somebody changes one that no list shows,
 * and then the spec asks for it as it was. The access control list, which is read by then, says nothing of the settings.
 */
export const rulesAlone: Story = {
  name: 'rules alone',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: MINUTE },
    east: { ...nothing, sites: siteSeed({ DefaultCacheTTL: 120, VarySupport: 1, NormalizeAE: 3 }) },
  }),
  arrives: true,
  isAlone: true,
  tell: () => undefined,
  encore(draft, random) {
    const { spec, edit, next } = random.pick(courses);
    const made = creation(draft, site, spec);
    const asked = alteration(draft, site, next);
    return [
      shows(made, 'a site is taken over'),
      shows({ what: 'edit', patch: { sites: { [DOMAIN]: { settings: edit } } } }, 'nobody has to know of it'),
      ...(asked ? [shows(asked, 'what a spec newly wants is looked at anew', 5 * MINUTE)] : []),
    ];
  },
};
