import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { carriers, iccids, imeis } from '../vocabulary.ts';
import { amendment, appear, role } from './parts.ts';
import { oneAccount } from './parts-sites.ts';
import type { Story } from './story.ts';

const iccid = iccids[0] ?? '';
const sim = role('sims', 'sim-1', { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } });
const steps = [
  'PUT /commonserviceitem/:id/sim/imeilock',
  'PUT /commonserviceitem/:id/sim/imeilock',
  'PUT /commonserviceitem/:id/sim/network_operator_config',
  'PUT /commonserviceitem/:id/sim/activate',
] as const;

/** The process dies in the middle of a creation, and what it had set already leaves the spec before the next one runs. */
export const begun: Story = {
  name: 'begun',
  wishes: (random) => ({
    ...oneAccount,
    dialect: random.pick(['Extended', 'Documented']),
    setting: { replicas: 1, leaderElect: false, trouble: 300_000 },
    east: { gateways: [], sims: [], sites: [] },
  }),
  cast: () => [sim],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const whole = {
      activated: true,
      imeiLock: imeis[0],
      ...(random.chance(0.3) && { carriers: carriers.map((name, index) => ({ name, allow: index === 0 })) }),
    };
    const moment = random.pick(['arrived', 'arrived', 'answered'] as const);
    const on: Occasion = { moment, to: 'service', route: random.pick(steps), nth: 1 };
    const kill: Act = { what: 'kill', process: 0, on, restart: random.pick([5000, 20_000]) };
    put(draft, kill);
    appear(draft, sim, whole, 1000);
    const kept = Object.entries(whole).filter(() => random.chance(0.2));
    const less = amendment(draft, sim, Object.fromEntries(kept));
    if (less) put(draft, { what: 'upon', process: 0, on, later: random.pick([0, 100, 2000]), act: less });
  },
};
