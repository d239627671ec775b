import { defined } from '../../cloud/page.ts';
import { trafficToShow } from '../common/traffic.ts';
import type { SimFacts } from './facts.ts';
import type { Sim } from './schema.ts';

/** What was observed of the SIM, for the status. Pure; traffic is carried over until it is 15 minutes old. */
export function observedStatus(facts: SimFacts, sim: Sim): Record<string, unknown> {
  const { observed } = facts;
  if (!observed) return {};
  return defined({
    createdAt: observed.createdAt,
    iccid: observed.iccid,
    imsi: observed.imsi.length > 0 ? observed.imsi : undefined,
    ip: observed.ip,
    sessionStatus: observed.sessionStatus,
    registered: observed.registered,
    activated: observed.activated,
    imeiLock: defined({ locked: observed.imeiLocked, imei: observed.imei }),
    connectedIMEI: observed.connectedIMEI,
    gatewayID: observed.gateway?.id,
    registeredAt: observed.registeredAt,
    activatedAt: observed.activatedAt,
    deactivatedAt: observed.deactivatedAt,
    carriers: observed.carriers?.map(({ name, allow, countryCode }) => defined({ name, allow, countryCode })),
    availability: observed.availability || undefined,
    traffic: trafficToShow(observed.traffic, sim.status?.traffic, facts.now),
  });
}

/** The sentence of Ready=True. */
export function readyMessage(facts: SimFacts): string {
  const { observed, desired } = facts;
  if (!observed) return '';
  const { activated, managementPolicy } = desired.spec;
  const isLeftInactive = !observed.activated && activated === undefined && managementPolicy !== 'Observe';
  return isLeftInactive
    ? `SIM ${observed.id} is at the service, and not active, for the spec does not say activated. Write activated: true to have it online, or false if it is meant to be offline.`
    : `SIM ${observed.id} is at the service.`;
}

/** Whether the SIM, as last seen, is active and is not to be: a stolen one may cost money every minute. */
export function isToBeDeactivated({ spec, status }: Sim): boolean {
  if (status?.activated !== true || spec.managementPolicy === 'Observe') return false;
  return !(spec.activated ?? status.applied?.['activated'] !== true);
}
