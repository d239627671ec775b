import type { JsonObject } from '../../json.ts';
import { type Draft, put } from '../draft.ts';
import { alter, annotateAt, appear, introduce, role } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** Somebody registered it by hand, and no resource is about it. */
const foreign = 7;

/** A gateway is deleted while Sims ask for it, and others come; it may release those that no Sim looks after. */
export const leavingGateway: Story = {
  name: 'leaving gateway',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse({ simRoutes: [{ sim: iccidOf(foreign), prefix: '192.168.20.0/24' }] })],
        sims: [oldSim(foreign, { name: 'by hand', gateway: gatewayInUseID, ip: '10.0.0.99' })],
      },
      11 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', {
      zone: 'is1a',
      resourceID: gatewayInUseID,
      deletionPolicy: 'Delete',
    });
    const onIt: JsonObject = { gatewayRef: { name: 'gateway-1' }, activated: true };
    const first = introduce(draft, 'sims', 'sim-1', simSpec(0, { ...onIt, ipAddress: '10.0.0.11' }), 500);
    const at = 100_000 + random.int(20_000);
    if (random.chance(0.8)) annotateAt(draft, gateway, 'edgeline.dev/release-sims', 'true', at);
    put(draft, { what: 'delete', ref: gateway.ref }, at + random.int(30_000));
    // Long after everybody has heard that it goes.
    const second = role('sims', 'sim-2', simSpec(1));
    const later = at + 5 * MINUTE;
    if (random.chance(0.7)) appear(draft, second, onIt, later);
    if (random.chance(0.5)) return;
    alter(draft, first, { gatewayRef: undefined, ipAddress: undefined }, later + 60_000 + random.int(30_000));
    alter(draft, second, { gatewayRef: undefined }, later + 90_000);
    if (random.chance(0.7)) stopSlowly(draft, later + 50_000);
  },
};

/** Somebody stops the gateway, which takes it minutes. */
function stopSlowly(draft: Draft, at: number): void {
  const stage = (instanceStatus: 'cleaning' | 'down', later: number) =>
    put(draft, { what: 'edit', patch: { gateways: { [gatewayInUseID]: { instanceStatus } } } }, later);
  stage('cleaning', at);
  stage('down', at + 3 * MINUTE);
}
