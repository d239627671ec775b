import { defined, type Each } from '../../cloud/list/page.ts';
import type { Carrier } from '../../cloud/sim/types.ts';
import type { ManagedKind } from '../../reconcile/kind.ts';
import type { Observed, Progress, StatusOf } from '../../reconcile/managed-object.ts';
import type { Impairment } from '../../reconcile/plan.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import { isStoppedByLimit, limitedActivity } from './activation.ts';
import { excessSentence, limitVerdict, UNTIL_NEXT_MONTH } from './data-limit.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import { onlineVerdict } from './online.ts';
import { type OwnReason, type SimHold, SimReason } from './reasons.ts';
import type { Sim, SimApplied, SimMark } from './schema.ts';
import type { SimStep } from './steps.ts';

type Status = StatusOf<Sim>;

/** What was observed of the SIM, for the status: its traffic changes with each poll and is in the metrics. Pure. */
export function observedStatus({
  observed,
  dataLimit,
  sessionDownSince,
}: SimFacts): Observed<Sim, SimMark> | undefined {
  if (!observed) return undefined;
  return {
    ...shownStatus(observed),
    gatewayID: observed.gateway?.id,
    carriers: observed.carriers && shownCarriers(observed.carriers),
    dataLimit: dataLimit?.state === 'Exceeded' ? dataLimit.excess : undefined,
    sessionDownSince,
  };
}

/** Carriers as the status has them. Pure. */
export function shownCarriers(carriers: readonly Carrier[]): NonNullable<Status['carriers']> {
  return carriers.map(({ name, allow, countryCode }) =>
    defined({ name, allow, countryCode } satisfies Each<NonNullable<Status['carriers']>[number]>),
  );
}

/** The part of the status that the list alone shows. Pure. */
export function shownStatus(
  observed: ObservedSim,
): Omit<Observed<Sim, SimMark>, 'gatewayID' | 'carriers' | 'dataLimit' | 'sessionDownSince'> {
  return {
    createdAt: observed.createdAt,
    name: observed.name || undefined,
    iccid: observed.iccid,
    imsi: observed.imsi.length > 0 ? [...observed.imsi] : undefined,
    ip: observed.ip,
    sessionStatus: observed.sessionStatus,
    registered: observed.registered,
    activated: observed.activated,
    imeiLock: defined({ locked: observed.imeiLocked, imei: observed.imei } satisfies Each<
      NonNullable<Status['imeiLock']>
    >),
    connectedIMEI: observed.connectedIMEI,
    registeredAt: observed.registeredAt,
    activatedAt: observed.activatedAt,
    deactivatedAt: observed.deactivatedAt,
    availability: observed.availability || undefined,
  };
}

/** Why the SIM, as last seen, carries no traffic, or not as its spec says. Whether its device is on does not matter. */
export function simImpairment(
  facts: SimFacts,
  isDue: (field: keyof SimApplied) => boolean,
): Impairment<SimHold['reason']> | undefined {
  const { observed, desired } = facts;
  const { dataLimit } = desired.spec;
  if (dataLimit && facts.dataLimit?.state === 'Exceeded' && isStoppedByLimit(facts)) {
    const message = `${excessSentence(dataLimit, facts.dataLimit.excess)} So it is not active. ${UNTIL_NEXT_MONTH}`;
    return { reason: SimReason.DataLimitExceeded, message, isMeant: true };
  }
  // Nothing is left to do about it only where nothing is written.
  const reason = CommonReason.DriftObserved;
  if (!observed) return { reason, message: '' };
  const { activated, gatewayRef, ipAddress } = desired.spec;
  const lacks = [
    isDue('activated') && activated === true && !observed.activated && 'is not active',
    isDue('gateway') && gatewayRef && !observed.registered && 'is registered with no gateway',
    isDue('ipAddress') && ipAddress !== undefined && observed.ip === undefined && 'has no IP address',
  ].filter((one) => typeof one === 'string');
  if (lacks.length === 0) return undefined;
  return { reason, message: `SIM ${observed.id} ${lacks.join(' and ')}.` };
}

/** Written for the first time, it takes the SIM out of service. */
const STOPPED_BY = 'dataLimit' satisfies keyof SimApplied;
/** What a SIM is in service by, as far as its spec asks for it. */
const IN_SERVICE_BY = ['activated', 'gateway', 'ipAddress'] as const satisfies readonly (keyof SimApplied)[];

/**
 * Whether an earlier process may have ended right after it had taken the SIM out of service: the record says that it was
 * about to write again what was applied, or to stop the SIM for its limit. Pure.
 */
export function mayBeHalfWay({ applied, pending }: Progress): boolean {
  return pending.includes(STOPPED_BY) || IN_SERVICE_BY.some((field) => field in applied && pending.includes(field));
}

/** The sentence of Ready=True. */
export function readyMessage(facts: SimFacts): string {
  const { observed, desired } = facts;
  if (!observed) return '';
  const { activated, managementPolicy } = desired.spec;
  const isLeftInactive = !observed.activated && activated === undefined && managementPolicy !== 'Observe';
  return isLeftInactive
    ? `SIM ${observed.id} is at the service, but not active, because the spec does not set activated. Write activated: true to have it online, or false if it is meant to be offline.`
    : `SIM ${observed.id} is at the service.`;
}

/** The conditions that only a Sim has. Pure. */
export const ownConditions = {
  WithinDataLimit: (facts) =>
    facts.observed && limitVerdict(facts.desired.spec, facts.dataLimit, limitedActivity(facts)),
  Online: ({ observed, desired, sessionDownSince, now }) =>
    observed && onlineVerdict(desired.spec, observed, sessionDownSince, now),
} as const satisfies ManagedKind<Sim, SimFacts, SimStep, SimMark, SimHold['reason'], OwnReason>['own'];

/** Whether the SIM, as last seen, is active and is not to be: a stolen one may cost money every minute. */
export function isToBeDeactivated({ spec, status }: Sim): boolean {
  if (status?.activated !== true || spec.managementPolicy === 'Observe') return false;
  if (spec.dataLimit?.action === 'Deactivate' && status.dataLimit !== undefined) return true;
  return !(spec.activated ?? status.applied?.activated !== true);
}
