import type { Each } from '../../cloud/list/page.ts';
import type { Carrier, SimItem } from '../../cloud/sim/types.ts';
import type { GatewayAddress, ObservedSim } from './facts.ts';

/** The SIM as the list shows it, with what was found out besides. Pure. */
export function observe(
  item: SimItem,
  gateway: GatewayAddress | undefined,
  carriers: readonly Carrier[] | undefined,
): ObservedSim {
  const { status } = item;
  return {
    id: item.id,
    createdAt: item.createdAt,
    name: item.name,
    iccid: item.iccid || (status?.iccid ?? ''),
    imsi: status?.imsi ?? [],
    availability: item.availability,
    activated: status?.activated ?? false,
    registered: status?.registered ?? false,
    gateway,
    simGroupID: status?.simgroupID,
    ip: status?.ip || undefined,
    imeiLocked: status?.imeiLock ?? false,
    imei: status?.imei || undefined,
    connectedIMEI: status?.connectedIMEI || undefined,
    sessionStatus: status?.sessionStatus,
    carriers,
    registeredAt: status?.registeredAt,
    activatedAt: status?.activatedAt,
    deactivatedAt: status?.deactivatedAt,
    traffic: status?.traffic,
  } satisfies Each<ObservedSim>;
}
