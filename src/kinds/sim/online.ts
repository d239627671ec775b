import { isSameDevice } from '../../cloud/sim/same.ts';
import { hasSession } from '../../cloud/sim/session.ts';
import { durationMilliseconds } from '../../duration.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { OwnVerdict } from '../../reconcile/conditions.ts';
import type { ObservedSim } from './facts.ts';
import { OwnReason } from './reasons.ts';
import type { SimSpec } from './schema.ts';

type Seen = Pick<ObservedSim, 'activated' | 'registered' | 'sessionStatus' | 'connectedIMEI'>;
type Expectation = Pick<SimSpec, 'expectOnlineWithin' | 'imeiLock'>;

/**
 * Since when the SIM was seen without a session, as `status.sessionDownSince` has it: from the first time on that it was, and
 * only where the spec expects it online and it is active: one that comes back after weeks has its time like any other.
 * `recorded`: the same before; `now`: milliseconds since the epoch. Pure.
 */
export function sessionDownSince(
  spec: Expectation,
  observed: Seen,
  recorded: string | undefined,
  now: number,
): string | undefined {
  if (spec.expectOnlineWithin === undefined || !observed.activated || hasSession(observed) === true) return undefined;
  return recorded ?? (hasSession(observed) === false ? timestamp(now) : undefined);
}

/** When it has been without a session for as long as the spec lets it, milliseconds since the epoch. */
export function silentAt(spec: Expectation, since: string | undefined): number | undefined {
  const within = spec.expectOnlineWithin && durationMilliseconds(spec.expectOnlineWithin);
  return since === undefined || !within ? undefined : Date.parse(since) + within;
}

/**
 * The condition Online; undefined where nobody asked. A SIM is online as long as it had a session within the time that the spec
 * has, so that one whose session comes and goes is not told of each time. Pure; `now`: milliseconds since the epoch.
 */
export function onlineVerdict(
  spec: Expectation,
  observed: Seen,
  since: string | undefined,
  now: number,
): OwnVerdict<OwnReason> | undefined {
  const { imeiLock, expectOnlineWithin } = spec;
  const { connectedIMEI } = observed;
  if (imeiLock !== undefined && connectedIMEI !== undefined && !isSameDevice(connectedIMEI, imeiLock)) {
    const message = `The SIM is used by the device with IMEI ${connectedIMEI}, and imeiLock names ${imeiLock}. Look where the SIM is; activated: false takes it out of service.`;
    return { status: 'False', reason: OwnReason.UnexpectedDevice, message };
  }
  if (expectOnlineWithin === undefined) return undefined;
  if (!observed.activated) {
    const message = 'The SIM is not active, so it can have no session.';
    return { status: 'False', reason: OwnReason.Offline, message };
  }
  if (hasSession(observed) === undefined && since === undefined) {
    const message = 'The service does not show whether the SIM has a session.';
    return { status: 'Unknown', reason: OwnReason.SessionUnknown, message };
  }
  if ((silentAt(spec, since) ?? Number.POSITIVE_INFINITY) <= now) {
    const what = observed.registered
      ? 'See whether its device has power and reception; kubectl edgeline sim logs shows what befell the session.'
      : 'It is on no gateway, without which it has no session: write gatewayRef.';
    const message = `The SIM has been seen without a session since ${since ?? ''}, and expectOnlineWithin is ${expectOnlineWithin}. ${what}`;
    return { status: 'False', reason: OwnReason.Silent, message };
  }
  const message = hasSession(observed)
    ? 'The SIM has a session.'
    : `The SIM has no session${since === undefined ? '' : `, and was seen without one since ${since}`}. Up to ${expectOnlineWithin} of that is expected.`;
  return { status: 'True', reason: OwnReason.Online, message };
}
