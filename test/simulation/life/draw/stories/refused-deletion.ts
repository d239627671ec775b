import { put } from '../draft.ts';
import { serviceRoutes } from '../trouble.ts';
import { appear, removeAt } from './parts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const refusals = ['conflict', 'locked', 'internal error', 'unavailable', 'too many requests', 'bad gateway'] as const;

/** The service refuses for a while to delete what belongs to resources that are being deleted. */
export const refusedDeletion: Story = {
  name: 'refused deletion',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 300_000 } }),
  cast: () => [...gatewayRoles(1), ...simRoles(3)],
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    const isOn = random.chance(0.6);
    for (const role of cast) {
      const more =
        role.plural === 'sims'
          ? { activated: random.chance(0.5), ...(isOn && { gatewayRef: { name: 'gateway-1' } }) }
          : {};
      appear(draft, role, more, 500 + random.int(1000));
    }
    for (const role of cast) if (random.chance(0.8)) removeAt(draft, role, 90_000 + random.int(20_000));
    const deletions = serviceRoutes.filter((route) => route.startsWith('DELETE ') && !route.includes('webaccel'));
    for (const route of deletions) {
      const fault = { service: random.pick(refusals) };
      const count = 1 + random.int(4);
      put(draft, { what: 'fault', to: 'service', route, fault, count, skip: 0, milliseconds: 0, lasts: 240_000 }, 1);
    }
  },
};
