import {
  ConflictError,
  CredentialsRejectedError,
  NotFoundError,
  OutcomeUnknownError,
  RejectedError,
  RetryableError,
  ThrottledError,
  UnexpectedResponseError,
} from '../../../../src/cloud/errors.ts';
import { createAccountResolver, holdLost } from '../../../../src/kinds/cloud-account/resolver.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import type { ObservedSim, SimFacts } from '../../../../src/kinds/sim/facts.ts';
import { holdNotShownYet } from '../../../../src/kinds/sim/gather.ts';
import { planSim } from '../../../../src/kinds/sim/plan.ts';
import { type Sim, type SimSpec, simDefinition } from '../../../../src/kinds/sim/schema.ts';
import { observedStatus, ownConditions, readyMessage, simImpairment } from '../../../../src/kinds/sim/status.ts';
import { resolveGateway } from '../../../../src/operator/gateways.ts';
import { heldConditions, heldMessage } from '../../../../src/operator/report-held.ts';
import { queuedStatus } from '../../../../src/operator/report-queued.ts';
import { approvalHold } from '../../../../src/reconcile/approval-shown.ts';
import { holdContested } from '../../../../src/reconcile/contention.ts';
import { failureOf } from '../../../../src/reconcile/failure.ts';
import { FinalizerNotKeptError } from '../../../../src/reconcile/finalizer.ts';
import { abandonedHold, pausedHold } from '../../../../src/reconcile/object-state.ts';
import type { Hold, Plan, Step } from '../../../../src/reconcile/plan.ts';
import { SecretRefusedError, SecretUnreadableError } from '../../../../src/reconcile/secrets.ts';
import type { Shown } from '../../../../src/reconcile/write-outcome.ts';
import { heldByBrake } from '../braked.ts';
import { concluded, ended, type HealthCase, holdIn, leaving, metadataOf, now, secretForbidden } from '../case.ts';
import { missing, stranger } from '../losses.ts';

const ICCID = '8981040000000000017';
const shown: Shown<Sim, SimFacts> = {
  definition: simDefinition,
  observed: observedStatus,
  marks: [],
  readyMessage,
  impairment: simImpairment,
  own: ownConditions,
};

const atService: ObservedSim = {
  id: '113300000017',
  name: 'truck-17',
  iccid: ICCID,
  imsi: [],
  availability: 'available',
  activated: true,
  registered: false,
  imeiLocked: false,
  carriers: [],
};

function simOf(spec: Partial<SimSpec> = {}): Sim {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: metadataOf('truck-17'),
    spec: { iccid: ICCID, ...spec },
  };
}

function factsOf({ spec }: Sim, observed: ObservedSim = atService): SimFacts {
  return {
    desired: { defaultName: 'truck-17', spec, gateway: undefined, passCode: undefined },
    applied: {},
    pending: [],
    observed,
    ownership: 'Created',
    dialect: 'Documented',
    now,
  };
}

const planned = (sim: Sim, observed?: ObservedSim): Sim =>
  concluded(shown, sim, ended(factsOf(sim, observed), planSim));
const held = (hold: Hold<string>, sim = simOf()): Sim => concluded(shown, sim, { hold });
/** One that works, with its spec as it is. */
const worked = (): Sim => planned(simOf());

/** What somebody has to approve. */
const asked: Plan<Step> = {
  steps: [{ do: 'activate', changes: [{ field: 'activated', before: 'false', after: 'true' }] }],
  drift: [],
  applied: { activated: true },
};

const details = { route: 'PUT /commonserviceitem/:id/sim/ip' };
const errors: readonly (readonly [string, Error])[] = [
  ['the service does not answer', new RetryableError('no answer', 'Nothing to do.', details)],
  ['the service wants fewer requests', new ThrottledError('too many', 'Nothing to do.', details)],
  ['the service refuses', new RejectedError('bad request', 'Correct the spec.', details)],
  ['the service refuses to show it', new RejectedError('bad request', 'Check baseURL.', { ...details, write: false })],
  ['the credentials are refused', new CredentialsRejectedError('unauthorized', 'Check the Secret.', details)],
  ['it is busy', new ConflictError('still creating', 'Nothing to do.', details)],
  ['its address is taken', new ConflictError('taken', 'Give it another.', { ...details, because: 'AddressTaken' })],
  ['there is no room for it', new ConflictError('full', 'Delete some.', { ...details, because: 'AccountFull' })],
  ['no answer came', new OutcomeUnknownError('cut off', 'Nothing to do.', details)],
  [
    'the answer makes no sense',
    new UnexpectedResponseError('no list', 'Check baseURL.', { ...details, path: '(body)' }),
  ],
  ['it is not there', new NotFoundError('not found', 'Check the ID.', details)],
  ['a Secret may not be read', secretForbidden],
  ['a Secret cannot be read', new SecretUnreadableError('no key', 'See why.')],
  ['a Secret belongs to the cluster', new SecretRefusedError('it is a token', 'Use another.')],
  ['something takes the finalizer off', new FinalizerNotKeptError('create')],
  ['the operator has a bug', new TypeError('cannot read properties of undefined')],
];

const failing: readonly HealthCase[] = errors.flatMap(([title, error]) => {
  const { hold } = failureOf(error);
  return [
    { title: `a Sim whose creation failed: ${title}`, object: held(hold) },
    { title: `a Sim that works, and which could not be looked after: ${title}`, object: held(hold, worked()) },
  ];
});

function heldElsewhere(sim: Sim): Sim {
  const message = heldMessage('fleet', 'other/edgeline-operator', 'edgeline-system/edgeline-operator', 900);
  return {
    ...sim,
    status: { observedGeneration: -1, ...sim.status, conditions: heldConditions(sim, true, message, now) },
  };
}

const account: Account = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'CloudAccount',
  metadata: metadataOf('default'),
  spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'service-credentials' } },
};

/** What the operator says to a Sim of an account that is there, or is not, and was never open. */
function withoutSession(isThere: boolean, recorded?: Account): Hold<string> {
  const sources = {
    accounts: { get: () => (isThere ? account : undefined) },
    clusterAccounts: undefined,
    namespaces: undefined,
  };
  const resolver = createAccountResolver(sources, { get: () => undefined }, { ofUser: () => undefined });
  const ref = recorded && ({ kind: 'CloudAccount', name: recorded.metadata.name } as const);
  return holdIn(resolver.resolve('fleet', {}, ref));
}

const gatewayOnItsWay = resolveGateway(
  {
    informers: {
      of: {
        MobileGateway: {
          get: () => ({
            apiVersion: 'edgeline.dev/v1alpha1',
            kind: 'MobileGateway',
            metadata: metadataOf('depot'),
            spec: { zone: 'is1b' },
            status: { id: '113300000101', availability: 'migrating' },
          }),
        },
      },
    },
    users: { accountOf: () => 'CloudAccount/fleet/default' },
    gateways: { isOfAnother: () => false },
    registry: { get: () => undefined },
    settingsInEffect: { privateInterfaceOf: () => undefined },
  },
  simOf({ gatewayRef: { name: 'depot' } }),
);

/** Over its limit, and so inactive. */
const limited = simOf({ activated: true, dataLimit: { monthly: '500Mi', action: 'Deactivate' } });
const excess = { month: '2026-01', exceededAt: '2026-01-14T23:00:00Z', bytes: 600_000_000 };
const stopped: SimFacts = {
  ...factsOf(limited, { ...atService, activated: false }),
  applied: { activated: true, dataLimit: 'Deactivated' },
  dataLimit: { state: 'Exceeded', excess, stops: true },
};

const withName = simOf({ displayName: 'Truck 17' });
const observed = (spec: Partial<SimSpec> = {}) => planned(simOf({ managementPolicy: 'Observe', ...spec }));

/** Sims, and with them what all managed kinds have in common. */
export const simCases: readonly HealthCase[] = [
  { title: 'a Sim that works', object: planned(simOf()) },
  { title: 'a Sim that is observed', object: observed() },
  { title: 'a Sim that is observed and differs', object: observed({ displayName: 'Truck 17' }) },
  { title: 'a Sim on which calls are made', object: concluded(shown, simOf(), { unsettled: true }) },
  { title: 'a Sim that is to be changed', object: concluded(shown, worked(), { unsettled: true }) },
  {
    title: 'a Sim that is observed and offline',
    object: concluded(
      shown,
      simOf({ managementPolicy: 'Observe', activated: true }),
      ended(
        factsOf(simOf({ managementPolicy: 'Observe', activated: true }), { ...atService, activated: false }),
        planSim,
      ),
    ),
  },
  {
    title: 'a Sim that works while a change waits for its turn',
    object: concluded(shown, worked(), { unsettled: true, queued: true }),
  },
  {
    title: 'a Sim that waits for its turn',
    object: { ...simOf(), status: queuedStatus(1, { before: 900, seconds: 60 }, now) },
  },
  { title: 'a Sim that is paused from the start', object: held(pausedHold(false)) },
  { title: 'a Sim that works and is paused', object: held(pausedHold(false), worked()) },
  { title: 'a Sim the operator has let go of', object: held(abandonedHold, worked()) },
  { title: 'a Sim that is being deleted', object: concluded(shown, leaving(worked()), { unsettled: true }) },
  ...failing,
  { title: 'a Sim without an account', object: held(withoutSession(false)) },
  { title: 'a Sim whose account is not Ready', object: held(withoutSession(true)) },
  { title: 'a Sim that works while its account is not Ready', object: held(withoutSession(true), worked()) },
  { title: 'a Sim whose account is gone', object: held(withoutSession(false, account), worked()) },
  { title: 'a Sim whose gateway is being made', object: held(holdIn(gatewayOnItsWay)) },
  { title: 'a Sim whose status is gone, and with it its account', object: held(holdLost) },
  { title: 'a Sim whose SIM is missing with many others', object: held(missing(false)) },
  { title: 'a Sim under whose ID the account shows another SIM', object: held(stranger) },
  {
    title: 'a new Sim whose plan waits for approval',
    object: held(approvalHold('0123456789abcdef', asked, simOf(), 'Sim')),
  },
  {
    title: 'a working Sim of which a change waits for approval',
    object: concluded(shown, worked(), {
      facts: factsOf(simOf()),
      hold: approvalHold('0123456789abcdef', asked, simOf(), 'Sim'),
    }),
  },
  {
    title: 'a Sim whose deletion waits for approval',
    object: held(approvalHold('0123456789abcdef', asked, leaving(worked()), 'Sim'), leaving(worked())),
  },
  { title: 'a Sim whose deletion is held with many others', object: held(heldByBrake('Deletion'), leaving(worked())) },
  { title: 'a Sim somebody fights over', object: held(holdContested(['activated'], 5, 60_000, now)) },
  { title: 'a Sim in a namespace of another installation, which does not answer', object: heldElsewhere(simOf()) },
  { title: 'a Sim just created', object: held(holdNotShownYet('113300000017')) },
  {
    title: 'a Sim to leave a gateway nobody knows',
    object: concluded(
      shown,
      simOf(),
      ended(
        { ...factsOf(simOf(), { ...atService, registered: true }), applied: { gateway: { id: '1', zone: 'is1b' } } },
        planSim,
      ),
    ),
  },
  {
    title: 'a Sim that was deactivated for its data limit',
    object: concluded(shown, limited, ended(stopped, planSim)),
  },
  { title: 'a Sim with a name that can’t be changed', object: planned(withName) },
  { title: 'a Sim whose spec names another SIM', object: planned(simOf({ resourceID: '113399999999' })) },
];
