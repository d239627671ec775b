import { FailureReason } from '../../reconcile/failure.ts';
import type { Drift, Hold, Plan } from '../../reconcile/kind.ts';
import { wasApplied } from '../../reconcile/kind.ts';
import { networkOf, placeIn } from '../common/network.ts';
import { planCarriers } from './carriers.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import { SimReason } from './reasons.ts';
import type { SimApplied } from './schema.ts';
import type { Part, SimStep } from './steps.ts';

/** A SIM the moment after its creation: everything is still to do. */
const NEW_SIM: ObservedSim = {
  id: '',
  name: '',
  iccid: '',
  imsi: [],
  availability: '',
  activated: false,
  registered: false,
  imeiLocked: false,
};

/**
 * The calls that bring the SIM to its spec, in the order the service accepts: create, carriers, activate, registration,
 * IP address, IMEI lock. With carriers in the spec the plan ends with the creation, and what follows comes in the next. Each aspect compares desired, applied and observed on its own; see design, three-way reconcile.
 */
export function planSim(facts: SimFacts): Plan<SimStep> {
  const { desired, observed } = facts;
  if (!observed) {
    const { adoption, managementPolicy } = desired.spec;
    if (managementPolicy === 'Observe') return nothing(facts, holdNothingToObserve(desired.spec.iccid));
    if (adoption === 'Required') return nothing(facts, holdAdoptionPending(desired.spec.iccid));
    if (desired.passCode && 'hold' in desired.passCode) return nothing(facts, desired.passCode.hold);
  }
  // Which carriers a new SIM has shows only when it is there; until some are blocked it must not be activated.
  const { steps = [], applied = {} } = planName(facts, observed);
  if (!observed && desired.spec.carriers) return { steps, drift: [], applied };
  const sim = observed ?? NEW_SIM;
  const parts = [
    planOldReconnect(facts),
    planName(facts, observed),
    planCarriers(facts, sim),
    planActivation(facts, sim),
    planGateway(facts, sim),
    planIMEILock(facts, sim),
    planReconnect(facts, observed),
  ];
  const hold = parts.find((part) => part.hold)?.hold;
  const unsynced = parts.find((part) => part.unsynced)?.unsynced;
  const warnings = parts.flatMap((part) => part.warnings ?? []);
  return {
    steps: parts.flatMap((part) => part.steps ?? []),
    drift: observed ? parts.flatMap((part) => part.drift ?? []) : [],
    applied: Object.assign({}, ...parts.map((part) => part.applied)),
    ...(hold && { hold }),
    ...(unsynced && { unsynced }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The calls that remove the SIM: clear IP, unregister, deactivate, delete. */
export function planSimDeletion(facts: SimFacts): Plan<SimStep> {
  const { observed } = facts;
  if (!observed) return { steps: [], drift: [], applied: {} };
  const leaving = leave(observed, facts);
  if ('hold' in leaving) return { steps: [], drift: [], applied: facts.applied, hold: leaving.hold };
  const steps: SimStep[] = [...leaving.steps];
  if (observed.activated) steps.push({ do: 'deactivate' });
  steps.push({ do: 'delete' });
  return { steps, drift: [], applied: {} };
}

function nothing(facts: SimFacts, hold: Hold): Plan<SimStep> {
  return { steps: [], drift: [], applied: facts.applied, hold };
}

function planName(facts: SimFacts, observed: ObservedSim | undefined): Part {
  const { displayName } = facts.desired.spec;
  const name = displayName ?? facts.desired.defaultName;
  if (!observed)
    return { steps: [{ do: 'create', name, fields: ['displayName'] }], applied: displayName ? { displayName } : {} };
  const wanted = displayName ?? (wasApplied(facts, 'displayName') ? facts.desired.defaultName : undefined);
  const applied = displayName ? { displayName } : {};
  if (wanted === undefined || wanted === observed.name) return { applied };
  const drift = [{ field: 'displayName', desired: wanted, observed: observed.name }];
  if (facts.dialect === 'Extended')
    return { steps: [{ do: 'rename', name: wanted, fields: ['displayName'] }], drift, applied };
  if (displayName === undefined) return { applied };
  return {
    drift,
    applied: facts.applied.displayName ? { displayName: facts.applied.displayName } : {},
    unsynced: {
      reason: SimReason.DisplayNameNotChangeable,
      message:
        `The SIM is named "${observed.name}" at the service, and a name can't be changed in the Documented dialect. ` +
        `Set displayName to "${observed.name}", or the account's dialect to Extended if the service supports it.`,
    },
  };
}

function planActivation(facts: SimFacts, sim: ObservedSim): Part {
  const { activated } = facts.desired.spec;
  const wanted = activated ?? (wasApplied(facts, 'activated') ? false : undefined);
  const applied = activated === undefined ? {} : { activated };
  if (wanted === undefined || wanted === sim.activated) return { applied };
  return {
    steps: [{ do: wanted ? 'activate' : 'deactivate', fields: ['activated'] }],
    drift: [{ field: 'activated', desired: String(wanted), observed: String(sim.activated) }],
    applied,
  };
}

/** Registration and IP address, which depend on one another: an address needs a gateway and holds the SIM there. */
function planGateway(facts: SimFacts, sim: ObservedSim): Part {
  const { gateway } = facts.desired;
  if (gateway === undefined) return planNoGateway(facts, sim);
  const kept: SimApplied = {
    ...(facts.applied.gateway && { gateway: facts.applied.gateway }),
    ...(facts.applied.ipAddress !== undefined && { ipAddress: facts.applied.ipAddress }),
  };
  if ('hold' in gateway) return { applied: kept, hold: gateway.hold };
  const applied: SimApplied = { gateway: { id: gateway.id, zone: gateway.zone } };
  if (sim.registered && sim.gateway?.id === gateway.id) {
    if (sim.simGroupID !== undefined && applied.gateway) applied.gateway.simGroupID = sim.simGroupID;
    return merge({ applied }, planAddress(facts, sim.ip));
  }
  const leaving = leave(sim, facts);
  if ('hold' in leaving) return { applied: kept, hold: leaving.hold };
  const drift: Drift[] = [{ field: 'gatewayRef', desired: gateway.id, observed: sim.gateway?.id ?? 'none' }];
  const register: SimStep = { do: 'register', gateway, fields: ['gateway'] };
  // Its group is the one it had there before, until the list shows another.
  const before = facts.applied.gateway;
  const back = before?.id === gateway.id && before.zone === gateway.zone ? { gateway: before } : applied;
  return merge({ steps: [...leaving.steps, register], drift, applied: back }, planAddress(facts, undefined));
}

function planNoGateway(facts: SimFacts, sim: ObservedSim): Part {
  if (!wasApplied(facts, 'gateway') || !sim.registered) return planAddressUnset(facts, sim);
  const leaving = leave(sim, facts);
  if ('hold' in leaving)
    return { applied: { ...(facts.applied.gateway && { gateway: facts.applied.gateway }) }, hold: leaving.hold };
  return {
    steps: leaving.steps,
    drift: [{ field: 'gatewayRef', desired: 'none', observed: sim.gateway?.id ?? 'a gateway' }],
  };
}

/** A SIM leaves its gateway without its IP address. */
function leave(sim: ObservedSim, facts: SimFacts): { steps: SimStep[] } | { hold: Hold } {
  if (!sim.registered) return { steps: [] };
  if (!sim.gateway) {
    return {
      hold: {
        kind: 'Waiting',
        reason: SimReason.GatewayUnknown,
        message: `The SIM ${sim.id} is registered with a gateway that no gateway list of the account shows yet. It is looked for again.`,
        retryAfterSeconds: 60,
      },
    };
  }
  const isOwn = facts.desired.spec.ipAddress !== undefined || wasApplied(facts, 'ipAddress');
  const clearIP: SimStep = isOwn ? { do: 'clearIP', fields: ['ipAddress'] } : { do: 'clearIP', follows: true };
  const steps: SimStep[] = sim.ip === undefined ? [] : [clearIP];
  steps.push({ do: 'unregister', gateway: sim.gateway, fields: ['gateway'] });
  return { steps };
}

/** The address of a SIM that is, or by then will be, registered; `ip` is the one it has. */
function planAddress(facts: SimFacts, ip: string | undefined): Part {
  const { ipAddress } = facts.desired.spec;
  if (ipAddress === undefined) return ip === undefined ? {} : planAddressUnset(facts, { ip });
  const { unusable, warnings } = planPlace(facts, ipAddress);
  const applied = { ipAddress };
  if (ip === ipAddress) return { applied, warnings: unusable ? [unusable] : warnings };
  if (unusable !== undefined) {
    const { ipAddress: before } = facts.applied;
    const drift = [{ field: 'ipAddress', desired: ipAddress, observed: ip ?? 'none' }];
    const hold: Hold = { kind: 'Stalled', reason: SimReason.AddressNotUsable, message: unusable };
    return { drift, hold, applied: before === undefined ? {} : { ipAddress: before } };
  }
  const { address } = facts;
  if (address && address.do !== 'set') {
    const drift = [{ field: 'ipAddress', desired: ipAddress, observed: ip ?? 'none' }];
    const waits = { drift, hold: holdAddressTaken(ipAddress, address.holder) };
    // Registered anew it has none to give up, and with one there is no circle any more.
    if (address.do === 'clear' && ip !== undefined)
      return { ...waits, steps: [{ do: 'clearIP', fields: ['ipAddress'] }] };
    const { ipAddress: before } = facts.applied;
    return { ...waits, applied: before === undefined ? {} : { ipAddress: before } };
  }
  return {
    steps: [{ do: 'setIP', ip: ipAddress, fields: ['ipAddress'] }],
    drift: [{ field: 'ipAddress', desired: ipAddress, observed: ip ?? 'none' }],
    applied,
    warnings,
  };
}

/** What is wrong, or odd, about an address in the private network of the gateway. Whether one outside works the service decides. */
function planPlace(facts: SimFacts, ipAddress: string): { unusable?: string; warnings: string[] } {
  const { gateway } = facts.desired;
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

function planAddressUnset(facts: SimFacts, sim: { readonly ip?: string | undefined }): Part {
  if (facts.desired.spec.ipAddress !== undefined || !wasApplied(facts, 'ipAddress') || sim.ip === undefined) return {};
  return {
    steps: [{ do: 'clearIP', fields: ['ipAddress'] }],
    drift: [{ field: 'ipAddress', desired: 'none', observed: sim.ip }],
  };
}

/** The locked IMEI is write-only in the Documented dialect: then it is compared with what was applied. */
function planIMEILock(facts: SimFacts, sim: ObservedSim): Part {
  const { imeiLock } = facts.desired.spec;
  const observed = sim.imeiLocked ? (sim.imei ?? 'locked') : 'not locked';
  if (imeiLock === undefined) {
    if (!wasApplied(facts, 'imeiLock') || !sim.imeiLocked) return {};
    return {
      steps: [{ do: 'unlockIMEI', fields: ['imeiLock'] }],
      drift: [{ field: 'imeiLock', desired: 'not locked', observed }],
    };
  }
  const applied = { imeiLock };
  const believed = sim.imei ?? (facts.pending.includes('imeiLock') ? undefined : facts.applied.imeiLock);
  if (sim.imeiLocked && believed === imeiLock) return { applied };
  return {
    steps: [
      {
        do: 'lockIMEI',
        imei: imeiLock,
        fields: ['imeiLock'],
        // Where the service doesn't show the IMEI, only this can say after a crash that the recorded one may be wrong.
        ...(facts.applied.imeiLock !== imeiLock && { pending: ['imeiLock'] }),
      },
    ],
    drift: [{ field: 'imeiLock', desired: imeiLock, observed }],
    applied,
  };
}

function planReconnect(facts: SimFacts, observed: ObservedSim | undefined): Part {
  const at = facts.desired.reconnectAt;
  return at === undefined || !observed || facts.takesOver ? {} : { steps: [{ do: 'reconnect', at }] };
}

/** A manifest that came back from a backup must not disturb a SIM in use; it is the first step, lest a failure lose it. */
function planOldReconnect(facts: SimFacts): Part {
  const at = facts.desired.reconnectAt;
  if (at === undefined || !facts.observed || !facts.takesOver) return {};
  return { steps: [{ do: 'noteReconnect', at, marks: { lastHandledReconnectAt: at } }] };
}

function merge(first: Part, second: Part): Part {
  return {
    ...((first.hold ?? second.hold) && { hold: first.hold ?? second.hold }),
    steps: [...(first.steps ?? []), ...(second.steps ?? [])],
    drift: [...(first.drift ?? []), ...(second.drift ?? [])],
    warnings: [...(first.warnings ?? []), ...(second.warnings ?? [])],
    applied: { ...first.applied, ...second.applied },
  };
}

function holdNothingToObserve(iccid: string): Hold {
  return {
    kind: 'Waiting',
    reason: SimReason.NothingToObserve,
    message: `The account has no SIM with ICCID ${iccid}, and managementPolicy Observe creates none.`,
  };
}

function holdAddressTaken(address: string, holder: string): Hold {
  return {
    kind: 'Waiting',
    reason: FailureReason.Conflict,
    message: `The address ${address} is still that of ${holder}, which is to get another. It is set as soon as it is free.`,
    isProgress: true,
    retryAfterSeconds: 30,
  };
}

function holdAdoptionPending(iccid: string): Hold {
  return {
    kind: 'Waiting',
    reason: SimReason.AdoptionPending,
    message: `The account has no SIM with ICCID ${iccid} yet, and adoption: Required creates none. Register it at the service, or remove adoption.`,
  };
}
