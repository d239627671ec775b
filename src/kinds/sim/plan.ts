import { changeOf, mending, secretChange } from '../../reconcile/change.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { Plan } from '../../reconcile/plan.ts';
import { combine, type Planners, partsOf } from '../common/combine.ts';
import { planResourceID } from '../common/other-id.ts';
import { planActivation } from './activation.ts';
import { planCarriers } from './carriers.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import { imeiWarnings } from './imei.ts';
import { silentAt } from './online.ts';
import { type SimHold, SimReason } from './reasons.ts';
import { leave, planRegistration } from './registration.ts';
import type { SimApplied } from './schema.ts';
import type { SimPart, SimStep } from './steps.ts';

type PlannerInput = [facts: SimFacts, sim: ObservedSim];
type SimPlan = Plan<SimStep, SimApplied, SimHold['reason']>;

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
 * Who plans what, in the order the service accepts: carriers, activate, IMEI lock, registration, IP address. A SIM is locked
 * before it can be in a gateway's network, and an address that somebody else has leaves it no less locked.
 */
export const simPlanners: Planners<SimApplied, PlannerInput, SimPart> = {
  displayName: planName,
  carriers: planCarriers,
  activated: planActivation,
  dataLimit: planActivation,
  imeiLock: planIMEILock,
  gateway: planRegistration,
  ipAddress: planRegistration,
};

/**
 * The calls that bring the SIM to its spec. Each planner compares desired, applied and observed on its own; see
 * docs/decisions/three-way-applied.md.
 */
export function planSim(facts: SimFacts): SimPlan {
  const { observed } = facts;
  if (!observed) return planCreation(facts);
  const plan = combine(
    planOldReconnect(facts),
    ...partsOf<SimPart, PlannerInput>(simPlanners, facts, observed),
    planReconnect(facts),
    planResourceID('SIM', observed.id, facts.desired.spec.resourceID, SimReason.ResourceIDMismatch),
  );
  const silent = silentAt(facts.desired.spec, facts.sessionDownSince);
  return silent === undefined || silent <= facts.now ? plan : { ...plan, lookAgainAt: silent };
}

/** Creates the SIM and does the rest. With carriers in the spec the rest comes in the next plan. */
function planCreation(facts: SimFacts): SimPlan {
  const { spec, passCode, defaultName } = facts.desired;
  if (spec.managementPolicy === 'Observe') return nothing(holdNothingToObserve(spec.iccid));
  if (spec.adoption === 'Required') return nothing(holdAdoptionPending(spec.iccid));
  // It is not read for a resource that goes.
  if (!passCode || 'hold' in passCode) return nothing(passCode?.hold);
  const { displayName, iccid } = spec;
  const name = displayName ?? defaultName;
  const changes = [
    changeOf('displayName', undefined, name),
    changeOf('iccid', undefined, iccid),
    secretChange('passCodeSecretRef', { before: false, after: true }),
  ];
  const create: SimPart = {
    steps: [{ do: 'create', name, iccid, passCode: passCode.value, fields: ['displayName'], changes }],
    applied: displayName ? { displayName } : {},
  };
  // Which carriers a new SIM has shows only when it is there; until some are blocked it must not be activated.
  if (spec.carriers) return { ...combine(create), continues: true };
  return { ...combine(create, ...partsOf<SimPart, PlannerInput>(simPlanners, facts, { ...NEW_SIM, name })), drift: [] };
}

/** The calls that remove the SIM: clear IP, unregister, deactivate, delete. */
export function planSimDeletion(facts: SimFacts): SimPlan {
  const { observed } = facts;
  if (!observed) return { steps: [], drift: [], applied: {} };
  const leaving = leave(observed, facts);
  if ('hold' in leaving) return { steps: [], drift: [], applied: facts.applied, hold: leaving.hold };
  const steps: SimStep[] = [...leaving.steps];
  if (observed.activated) steps.push({ do: 'deactivate', fields: [], changes: [changeOf('activated', true, false)] });
  steps.push({ do: 'delete', changes: [] });
  return { steps, drift: [], applied: {} };
}

/** There is no SIM: what was applied to one that has vanished is not applied to whatever comes in its place. */
function nothing(hold: SimHold | undefined): SimPlan {
  return { steps: [], drift: [], applied: {}, ...(hold && { hold }) };
}

function planName(facts: SimFacts, observed: ObservedSim): SimPart<'displayName'> {
  const { displayName } = facts.desired.spec;
  const wanted = displayName ?? (wasApplied(facts, 'displayName') ? facts.desired.defaultName : undefined);
  const applied = displayName ? { displayName } : {};
  if (wanted === undefined || wanted === observed.name) return { applied };
  const drift = [{ field: 'displayName', desired: wanted, observed: observed.name }];
  if (facts.dialect === 'Extended')
    return {
      steps: [{ do: 'rename', name: wanted, fields: ['displayName'], changes: mending(drift) }],
      drift,
      applied,
    };
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

/** The locked IMEI is write-only in the Documented dialect: then it is compared with what was applied. */
function planIMEILock(facts: SimFacts, sim: ObservedSim): SimPart<'imeiLock'> {
  const { imeiLock } = facts.desired.spec;
  const observed = sim.imeiLocked ? (sim.imei ?? 'locked') : 'not locked';
  if (imeiLock === undefined) {
    if (!wasApplied(facts, 'imeiLock') || !sim.imeiLocked) return {};
    const drift = [{ field: 'imeiLock', desired: 'not locked', observed }];
    return { steps: [{ do: 'unlockIMEI', fields: ['imeiLock'], changes: mending(drift) }], drift };
  }
  const applied = { imeiLock };
  const believed = sim.imei ?? (facts.pending.includes('imeiLock') ? undefined : facts.applied.imeiLock);
  const warnings = imeiWarnings(imeiLock);
  if (sim.imeiLocked && believed === imeiLock) return { applied, warnings };
  const drift = [{ field: 'imeiLock', desired: imeiLock, observed }];
  return {
    steps: [
      {
        do: 'lockIMEI',
        imei: imeiLock,
        fields: ['imeiLock'],
        changes: mending(drift),
        // Where the service doesn't show the IMEI, only this can say after a crash that the recorded one may be wrong.
        ...(facts.applied.imeiLock !== imeiLock && { pending: ['imeiLock'] }),
      },
    ],
    drift,
    applied,
    warnings,
  };
}

function planReconnect(facts: SimFacts): SimPart {
  const at = facts.desired.reconnectAt;
  return at === undefined || facts.takesOver
    ? {}
    : { steps: [{ do: 'reconnect', at, changes: [], cause: 'Annotation' }] };
}

/** A manifest that came back from a backup must not disturb a SIM in use; it is the first step, lest a failure lose it. */
function planOldReconnect(facts: SimFacts): SimPart {
  const at = facts.desired.reconnectAt;
  if (at === undefined || !facts.takesOver) return {};
  return { steps: [{ do: 'noteReconnect', at, changes: [], silent: true, marks: { lastHandledReconnectAt: at } }] };
}

function holdNothingToObserve(iccid: string): SimHold {
  return {
    state: 'Waiting',
    reason: SimReason.NothingToObserve,
    message: `The account has no SIM with ICCID ${iccid}, and managementPolicy Observe creates none.`,
  };
}

function holdAdoptionPending(iccid: string): SimHold {
  return {
    state: 'Waiting',
    reason: SimReason.AdoptionPending,
    message: `The account has no SIM with ICCID ${iccid} yet, and adoption: Required creates none. Register it at the service, or remove adoption.`,
  };
}
