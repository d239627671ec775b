import { put } from '../draft.ts';
import { appear, shows } from './parts.ts';
import { siteRoles } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * In quiet times somebody takes back what the operator wrote a moment before: the next list is as the one before the
 * write. Few requests are allowed, so that nothing else tells of it for long.
 */
export const putBack: Story = {
  name: 'put back',
  wishes: () => ({
    namespaces: 1,
    isTight: true,
    setting: { replicas: 1, leaderElect: false, trouble: 2 * MINUTE },
  }),
  cast: () => siteRoles(2).filter(({ plural }) => plural === 'webaccelsites'),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const limits = { webAccelRequestsPerHour: 24 };
    for (const { ref } of draft.drawn.accounts) put(draft, { what: 'patch', ref, patch: { spec: { limits } } });
    for (const role of draft.cast) appear(draft, role, { displayName: 'Front' }, 500 + draft.random.int(1000));
  },
  encore({ cast, random }) {
    const site = random.pick(cast);
    const domain = site.fixed['domain'];
    if (typeof domain !== 'string') return [];
    return [
      shows(
        { what: 'patch', ref: site.ref, patch: { spec: { displayName: 'Shop' } } },
        'a change of a spec is carried out',
        5 * MINUTE,
      ),
      shows(
        { what: 'edit', patch: { sites: { [domain]: { settings: { Name: 'Front' } } } } },
        'what somebody takes back is noticed with the next list',
        9 * MINUTE,
      ),
    ];
  },
};
