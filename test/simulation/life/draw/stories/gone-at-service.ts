import type { Encore } from '../../script.ts';
import { put } from '../draft.ts';
import { OLD, seededID, sitePlace } from '../seed.ts';
import { domains } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import { DOMAIN, renewal } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** So many that the details of each are rarely looked at: the list tells. */
const sites = domains.map((domain, index) => ({
  id: seededID('east', sitePlace(index)),
  createdAt: OLD,
  name: domain,
  domain,
}));

/** When all is at rest, somebody removes at the service what a resource has: a site, or a SIM. */
export const goneAtService: Story = {
  name: 'gone at the service',
  wishes: () => ({ ...eastWith({ sims: [oldSim(0), oldSim(1)], sites }, 3 * MINUTE), isTight: false }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-1'));
    for (const [index, domain] of domains.entries())
      introduce(draft, 'webaccelsites', `site-${index + 1}`, { domain, vary: true }, random.int(2000));
    const secretRef = { name: 'tls-a' };
    introduce(draft, 'sitecertificates', 'certificate-1', { siteRef: { name: 'site-1' }, secretRef }, random.int(2000));
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 }, random.int(2000));
    for (const index of [0, 1, 2]) introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index), random.int(2000));
  },
  encore(_, random) {
    const removals: Encore[] = [
      {
        act: { what: 'remove', kind: 'sites', name: DOMAIN },
        within: 7 * MINUTE,
        why: 'that a site is gone is told with the next list',
      },
      {
        act: { what: 'remove', kind: 'sims', name: iccidOf(random.int(3)) },
        within: 5 * MINUTE,
        why: 'that a SIM is gone is told with the next list',
      },
    ];
    // Several at once may be no accident, which is another story.
    return [random.pick(removals)];
  },
};
