import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { carriers, imeis, networks } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** SIMs are registered, with all that a spec may have; the service complains, and quotes what it was sent. */
export const newSims: Story = {
  name: 'new-sims',
  wishes: () => ({ namespaces: 1, isEast: true, setting: { replicas: 1, trouble: 180_000 } }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const gateway = { zone: 'is1a', planID: 2, privateInterface: networks[0] };
    if (random.chance(0.7)) introduce(draft, 'mobilegateways', 'gateway-1', gateway, random.int(2000));
    for (let index = 0; index < 3; index++) {
      const blocked = random.pick(carriers);
      const spec = {
        activated: true,
        ...(random.chance(0.7) && { carriers: carriers.map((name) => ({ name, allow: name !== blocked })) }),
        ...(random.chance(0.4) && { imeiLock: random.pick(imeis) }),
        ...(random.chance(0.5) && { gatewayRef: { name: 'gateway-1' } }),
      };
      introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index, spec), random.int(30_000));
    }
    const complaint: Act = {
      what: 'fault',
      to: 'service',
      route: 'POST /commonserviceitem',
      fault: { service: 'conflict that repeats what was sent' },
      count: 1 + random.int(3),
      skip: random.int(2),
      milliseconds: 0,
      lasts: 120_000,
    };
    if (random.chance(0.6)) put(draft, complaint);
  },
};
