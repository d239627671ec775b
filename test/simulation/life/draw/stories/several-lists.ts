import type { Role } from '../cast.ts';
import { put } from '../draft.ts';
import { iccids, zones } from '../vocabulary.ts';
import { appear, removeAt, role } from './parts.ts';
import { oneNamespace, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const gatewayIn = (zone: string, index: number): Role =>
  role('mobilegateways', `gateway-${index + 1}`, { zone, planID: 2 });

/** SIMs and gateways of several zones are lost at once; each list shows that at another time, or fails for a while. */
export const severalLists: Story = {
  name: 'several lists',
  wishes: () => oneNamespace(12 * MINUTE),
  cast: (_, random) => [...zones.slice(0, 1 + random.int(3)).map(gatewayIn), ...simRoles(random.int(3) + 1)],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const one of cast) appear(draft, one, { deletionPolicy: 'Orphan' }, 500 + random.int(1000));
    const lost = 2 * MINUTE + random.int(MINUTE);
    const sims = cast.filter(({ plural }) => plural === 'sims');
    for (const name of iccids.slice(0, sims.length)) {
      put(draft, { what: 'remove', kind: 'sims', name }, lost + random.int(SECOND));
    }
    for (const { plural, ref } of cast) {
      if (plural !== 'mobilegateways') continue;
      put(draft, { what: 'remove', kind: 'gateways', name: ref.name }, lost + random.int(SECOND));
    }
    if (random.chance(0.5)) {
      const route = random.pick(['GET /commonserviceitem', 'GET /appliance']);
      const fault = { service: 'internal error' } as const;
      const lasts = random.int(3 * MINUTE);
      put(draft, { what: 'fault', to: 'service', route, fault, count: 50, skip: 0, milliseconds: 0, lasts }, lost);
    }
    if (random.chance(0.3))
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 5 * SECOND }, lost + random.int(MINUTE));
    if (random.chance(0.3)) removeAt(draft, random.pick(cast), lost + random.int(5 * MINUTE));
  },
  encore: () => [],
};
