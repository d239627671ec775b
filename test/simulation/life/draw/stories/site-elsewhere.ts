import type { Role } from '../cast.ts';
import { put } from '../draft.ts';
import { type ManagedPlural, ref } from '../vocabulary.ts';
import { appear, removeAt, shows } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Somebody in the second namespace. */
function neighbour(plural: ManagedPlural, name: string, fixed: Role['fixed']): Role {
  return { ref: ref(plural, 'harbour', name), plural, fixed, world: 'east' };
}

const site = neighbour('webaccelsites', 'site-1', { domain: DOMAIN });
const certificate: Role = {
  ...neighbour('sitecertificates', 'certificate-1', { siteID: SITE_ID, secretRef: { name: 'tls-a' } }),
  ref: ref('sitecertificates', 'fleet', 'certificate-1'),
};

/** A certificate names its site by ID, and has to wait for a WebAccelSite of another namespace until that lets go of the site. */
export const siteElsewhere: Story = {
  name: 'site elsewhere',
  wishes: () => ({
    ...oneAccount,
    namespaces: 2,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 4 * MINUTE },
    east: { ...nothing, sites: siteSeed() },
  }),
  cast: () => [site, certificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    appear(draft, site, {}, 500);
    appear(draft, certificate, {}, 10_000 + random.int(MINUTE));
    // That it comes again, or comes back, is another course of the same.
    if (random.chance(0.3)) {
      removeAt(draft, site, 2 * MINUTE);
      appear(draft, site, {}, 2 * MINUTE + 20_000 + random.int(20_000));
    }
    if (random.chance(0.2)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, 3 * MINUTE);
  },
  encore: ({ random }) => [
    shows(
      random.chance(0.7)
        ? { what: 'delete', ref: site.ref }
        : { what: 'patch', ref: site.ref, patch: { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } } },
      'a certificate that waited for the site of another namespace is on it as soon as that is let go',
    ),
  ],
};
