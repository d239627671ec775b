import { changeOf, mending } from '../../reconcile/change.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import type { Drift } from '../../reconcile/managed-object.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import { combine } from '../common/combine.ts';
import { networkOf, placeIn } from '../common/network.ts';
import type { AddressTurn } from './address.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import { type SimHold, SimReason } from './reasons.ts';
import type { SimApplied } from './schema.ts';
import type { SimPart, SimStep } from './steps.ts';

/** Registration and IP address, which depend on one another: an address needs a gateway and holds the SIM there. */
export function planRegistration(facts: SimFacts, sim: ObservedSim): SimPart<'gateway' | 'ipAddress'> {
  const { gateway } = facts.desired;
  if (gateway === undefined) return planNoGateway(facts, sim);
  const kept: SimApplied = {
    ...(facts.applied.gateway && { gateway: facts.applied.gateway }),
    ...(facts.applied.ipAddress !== undefined && { ipAddress: facts.applied.ipAddress }),
  };
  if ('hold' in gateway) return { applied: kept, hold: gateway.hold, undecided: ['gateway', 'ipAddress'] };
  const applied: SimApplied = { gateway: { id: gateway.id, zone: gateway.zone } };
  if (sim.registered && sim.gateway?.id === gateway.id) {
    if (sim.simGroupID !== undefined && applied.gateway) applied.gateway.simGroupID = sim.simGroupID;
    return combine({ applied }, planAddress(facts, sim.ip));
  }
  const leaving = leave(sim, facts, ['gateway']);
  if ('hold' in leaving) return { applied: kept, hold: leaving.hold, undecided: ['gateway', 'ipAddress'] };
  const drift: Drift[] = [{ field: 'gatewayRef', desired: gateway.id, observed: sim.gateway?.id ?? 'none' }];
  const staying = leaving.steps.length > 0 ? holdUntilUsable(facts) : undefined;
  if (staying) return { applied: kept, drift, hold: staying, undecided: ['gateway', 'ipAddress'] };
  const changes = [changeOf('gatewayRef', undefined, gateway.id)];
  const register: SimStep = { do: 'register', gateway, fields: ['gateway'], changes };
  // Its group is the one it had there before, until the list shows another.
  const before = facts.applied.gateway;
  const back = before?.id === gateway.id && before.zone === gateway.zone ? { gateway: before } : applied;
  const { steps = [], ...address } = planAddress(facts, undefined);
  // An address that was taken off only to move is put back for the sake of the move.
  const again = steps.map((step): SimStep => ({ ...step, because: ['gateway', 'ipAddress'] }));
  return combine({ steps: [...leaving.steps, register], drift, applied: back }, { ...address, steps: again });
}

/**
 * Why a SIM stays on the gateway it is on: on the other one it could not have its address yet, and would be without service
 * there. Only of a circle, in which each waits for the next, one leaves all the same.
 */
function holdUntilUsable({ desired, address }: SimFacts): SimHold | undefined {
  const { gateway, spec } = desired;
  const { ipAddress } = spec;
  if (ipAddress === undefined) return undefined;
  const { unusable } = planPlace(gateway, ipAddress);
  if (unusable !== undefined) return { state: 'Stalled', reason: SimReason.AddressNotUsable, message: unusable };
  if (address?.do === 'yield') return holdYields(ipAddress, address);
  if (address?.do === 'wait')
    return holdAddressTaken(ipAddress, address.holder, 'Until it is free the SIM stays where it is.');
  if (address?.do !== 'set' || address.holder === undefined) return undefined;
  return {
    state: 'Waiting',
    reason: FailureReason.AddressTaken,
    message: `The address ${ipAddress} is that of ${address.holder} on the gateway this SIM is to move to, and stays its own. Until it is free the SIM stays where it is: write another ipAddress, or free that one.`,
    retryAfterSeconds: 30,
  };
}

function planNoGateway(facts: SimFacts, sim: ObservedSim): SimPart<'gateway' | 'ipAddress'> {
  if (!wasApplied(facts, 'gateway') || !sim.registered) return planAddressUnset(facts, sim);
  const leaving = leave(sim, facts);
  if ('hold' in leaving) {
    const kept = facts.applied.gateway && { gateway: facts.applied.gateway };
    return { applied: { ...kept }, hold: leaving.hold, undecided: ['gateway', 'ipAddress'] };
  }
  return {
    steps: leaving.steps,
    drift: [{ field: 'gatewayRef', desired: 'none', observed: sim.gateway?.id ?? 'a gateway' }],
  };
}

/** A SIM leaves its gateway without its IP address; `because`: the fields for whose sake, where not its own. */
export function leave(
  sim: ObservedSim,
  facts: SimFacts,
  because?: readonly (keyof SimApplied)[],
): { steps: SimStep[] } | { hold: SimHold } {
  if (!sim.registered) return { steps: [] };
  if (!sim.gateway) {
    return {
      hold: {
        state: 'Waiting',
        reason: SimReason.GatewayUnknown,
        message: `The SIM ${sim.id} is registered with a gateway that no gateway list of the account shows yet. It is looked for again.`,
        retryAfterSeconds: 60,
      },
    };
  }
  const isOwn = facts.desired.spec.ipAddress !== undefined || wasApplied(facts, 'ipAddress');
  const sake = because === undefined ? {} : { because };
  const changed = [changeOf('ipAddress', sim.ip, undefined)];
  const cleared = { do: 'clearIP', changes: changed, clears: ['ipAddress'], ...sake } as const;
  const clearIP: SimStep = isOwn ? { ...cleared, fields: ['ipAddress'] } : { ...cleared, follows: true };
  const steps: SimStep[] = sim.ip === undefined ? [] : [clearIP];
  const changes = [changeOf('gatewayRef', sim.gateway.id, undefined)];
  steps.push({ do: 'unregister', gateway: sim.gateway, fields: ['gateway'], clears: ['gateway'], changes, ...sake });
  return { steps };
}

/** The address of a SIM that is, or by then will be, registered; `ip` is the one it has. */
function planAddress(facts: SimFacts, ip: string | undefined): SimPart<'ipAddress'> {
  const { ipAddress } = facts.desired.spec;
  if (ipAddress === undefined) return ip === undefined ? {} : planAddressUnset(facts, { ip });
  const { unusable, warnings } = planPlace(facts.desired.gateway, ipAddress);
  const applied = { ipAddress };
  if (ip === ipAddress) return { applied, warnings: unusable ? [unusable] : warnings };
  const drift = [{ field: 'ipAddress', desired: ipAddress, observed: ip ?? 'none' }];
  const { ipAddress: before } = facts.applied;
  const asBefore = before === undefined ? {} : { ipAddress: before };
  if (unusable !== undefined) {
    const hold: SimHold = { state: 'Stalled', reason: SimReason.AddressNotUsable, message: unusable };
    return { drift, hold, applied: asBefore };
  }
  const { address } = facts;
  if (address?.do === 'yield') return { drift, hold: holdYields(ipAddress, address), applied: asBefore };
  if (address && address.do !== 'set') {
    const waits = { drift, hold: holdAddressTaken(ipAddress, address.holder, 'It is set as soon as it is free.') };
    // Registered anew it has none to give up, and with one there is no circle any more.
    if (address.do === 'clear' && ip !== undefined)
      return {
        ...waits,
        steps: [
          {
            do: 'clearIP',
            fields: ['ipAddress'],
            clears: ['ipAddress'],
            changes: [changeOf('ipAddress', ip, undefined)],
            cause: 'MakesRoom',
          },
        ],
      };
    return { ...waits, applied: asBefore };
  }
  return {
    steps: [{ do: 'setIP', ip: ipAddress, holder: address?.holder, fields: ['ipAddress'], changes: mending(drift) }],
    drift,
    applied,
    warnings,
  };
}

/** What is wrong, or odd, about an address in the private network of the gateway. Whether one outside works the service decides. */
function planPlace(
  gateway: SimFacts['desired']['gateway'],
  ipAddress: string,
): { unusable?: string; warnings: string[] } {
  const inner = gateway && !('hold' in gateway) ? gateway.inner : undefined;
  const place = inner ? placeIn(ipAddress, inner) : 'host';
  if (!inner || place === 'host') return { warnings: [] };
  const network = networkOf(inner);
  const { ipAddress: own } = inner;
  const what = `ipAddress ${ipAddress} is`;
  switch (place) {
    case 'own':
      return {
        unusable: `${what} the gateway’s own address in its private network ${network}. Write another one.`,
        warnings: [],
      };
    case 'first':
    case 'last':
      return {
        unusable: `${what} the ${place} address of the gateway’s private network ${network}, which no SIM can have. Write another one.`,
        warnings: [],
      };
    case 'outside':
      return {
        warnings: [
          `${what} outside the gateway’s private network ${network}, where the gateway is ${own}. Write an address in that network, or correct privateInterface of the MobileGateway.`,
        ],
      };
  }
}

function planAddressUnset(facts: SimFacts, sim: { readonly ip?: string | undefined }): SimPart<'ipAddress'> {
  if (facts.desired.spec.ipAddress !== undefined || !wasApplied(facts, 'ipAddress') || sim.ip === undefined) return {};
  const drift = [{ field: 'ipAddress', desired: 'none', observed: sim.ip }];
  return { steps: [{ do: 'clearIP', fields: ['ipAddress'], changes: mending(drift) }], drift };
}

function holdYields(address: string, { to, isUrgent, for: other }: Extract<AddressTurn, { do: 'yield' }>): SimHold {
  const why = isUrgent
    ? 'which goes first, for it, or one that waits for its place, has none to stay on'
    : 'which goes first, for the ID of its SIM is lower';
  const message = other
    ? `The address ${address} is free once ${other.label} has ${other.address}. That is asked for by ${to}, too, ${why}. Give one of these two another address.`
    : `The address ${address} is asked for by ${to}, too, ${why}. Give one of the two another address.`;
  return {
    state: 'Waiting',
    reason: FailureReason.AddressTaken,
    message,
    retryAfterSeconds: 30,
  };
}

function holdAddressTaken(address: string, holder: string, until: string): SimHold {
  return {
    state: 'Waiting',
    reason: FailureReason.Conflict,
    message: `The address ${address} is still that of ${holder}, which is to get another, or none. ${until}`,
    isProgress: true,
    retryAfterSeconds: 30,
  };
}
