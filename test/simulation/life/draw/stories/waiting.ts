import type { Encore } from '../../script.ts';
import { addresses, networks } from '../vocabulary.ts';
import { creation, introduce, role } from './parts.ts';
import { iccidOf, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** Resources wait for others, for minutes, and go on within seconds once what they wait for is there. */
export const waiting: Story = {
  name: 'waiting',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: {
      service: { migratingTime: 2000, stillCreatingMs: 0, shownAfterCreate: 0 },
      replicas: 1,
      trouble: 120_000,
    },
  }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const spec = { gatewayRef: { name: 'gateway-1' }, ipAddress: addresses[0], activated: true };
    introduce(draft, 'sims', 'sim-1', simSpec(0, spec), random.int(2000));
    introduce(draft, 'sims', 'sim-2', simSpec(1, { adoption: 'Required' }), random.int(2000));
    const simRoutes = [{ prefix: '192.168.20.0/24', simRef: { name: 'sim-3' } }];
    introduce(draft, 'mobilegateways', 'gateway-2', { zone: 'is1b', planID: 2, simRoutes }, random.int(2000));
  },
  encore(draft, random) {
    const gateway = role('mobilegateways', 'gateway-1', { zone: 'is1a' });
    const sim = role('sims', 'sim-3', simSpec(2, { gatewayRef: { name: 'gateway-2' } }));
    const encores: readonly Encore[] = [
      {
        act: creation(draft, gateway, { planID: 2, privateInterface: networks[0] }),
        within: 30_000,
        why: 'a Sim gets onto its gateway once that is ready',
      },
      {
        act: { what: 'add', account: 'east', kind: 'sims', seed: { iccid: iccidOf(1), name: 'by hand' } },
        within: 100_000,
        why: 'a Sim takes over the SIM it waits for after the next list of SIMs',
      },
      {
        act: creation(draft, sim),
        within: 30_000,
        why: 'a route is set once its SIM is registered',
      },
    ];
    return random.chance(0.5) ? encores : encores.toReversed();
  },
};
