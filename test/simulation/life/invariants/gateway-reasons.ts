import { zones } from '../../../../src/cloud/zones.ts';
import type { GatewayView } from '../../../../src/shadow/service/types.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { at, listAt, textAt } from '../json.ts';
import { displayNameOf } from '../reading/claim.ts';
import type { Scene } from '../scene.ts';
import {
  accountOf,
  commonReasons,
  idOf,
  isExtended,
  isNamedByBackup,
  isOfAnotherName,
  type Reasons,
  rivals,
  secretNow,
  wanted,
} from './diagnosis.ts';

/** Why a MobileGateway may not be as its spec says. `view` is its gateway, if there is one. */
export function gatewayReasons(scene: Scene, incarnation: Incarnation, view: GatewayView | undefined): Reasons {
  const reasons = commonReasons(scene, incarnation);
  const version = wanted(incarnation);
  const { spec } = version;
  const { namespace } = incarnation;
  const resourceID = textAt(spec, 'resourceID');
  if (
    rivals(
      scene,
      incarnation,
      (other, { object }) =>
        (resourceID ?? view?.id) !== undefined &&
        (other['resourceID'] ?? textAt(object, 'status', 'id')) === (resourceID ?? view?.id),
    )
  ) {
    reasons.add('AlreadyManaged');
  }
  if (!view) {
    if (resourceID !== undefined) reasons.add('ResourceIDNotFound');
    if (spec['planID'] === undefined) reasons.add('PlanRequired');
    if (spec['managementPolicy'] === 'Observe') reasons.add('NothingToObserve');
    if (isAmbiguous(scene, incarnation)) reasons.add('CreationAmbiguous');
    if (isNamedByBackup(incarnation)) reasons.add('NotTheSame');
    if (!zones.some((zone) => zone === spec['zone'])) reasons.add('Rejected');
    return reasons;
  }
  if (isOfAnotherName(scene, incarnation)) reasons.add('CreationAmbiguous');
  if (resourceID !== undefined && view.zone !== spec['zone']) reasons.add('ResourceIDNotFound');
  if (view.stopped || !scene.atService.mayHaveCreated(incarnation.uid, view.id)) reasons.add('Stopped');
  if (view.instanceStatus !== 'up') reasons.add('Stopped');
  if (spec['displayName'] !== undefined && displayNameOf(incarnation, version) !== view.name)
    reasons.add('DisplayNameNotChangeable');
  const hook = spec['trafficMonitoring'];
  const name = textAt(hook, 'chatWebhookSecretRef', 'name');
  if (
    name !== undefined &&
    secretNow(scene, namespace, name, textAt(hook, 'chatWebhookSecretRef', 'key')) === undefined
  ) {
    reasons.add('ChatWebhookSecretMissing');
  }
  for (const route of listAt(spec, 'simRoutes')) {
    const sim = scene.intent
      .named('sims', namespace, textAt(route, 'simRef', 'name') ?? '')
      .findLast(({ goneAt }) => goneAt === undefined);
    const id = sim && idOf(sim);
    const atService = id === undefined ? undefined : scene.atService.now('sims', id);
    const isUntold = at(sim?.object, 'status', 'registered') !== true;
    // What came back from a backup tells of a SIM that another Sim has by now.
    const isOfAnother = sim !== undefined && conditionOf(sim.object, 'Ready')?.reason === 'AlreadyManaged';
    if (
      atService?.gatewayID !== view.id ||
      isUntold ||
      isOfAnother ||
      sim?.deletedAt !== undefined ||
      !names(sim, incarnation)
    )
      reasons.add('RouteWaitsForSim');
  }
  // Where the service does not show them nobody is told that a person took them off.
  const mayHaveResolvers = view.dns !== undefined || !isExtended(accountOf(scene, incarnation));
  if (spec['dns'] === undefined && mayHaveResolvers && scene.ownership.owns(incarnation.uid, view.id, 'dns'))
    reasons.add('DNSNotRemovable');
  return reasons;
}

/** The Sim asks for this gateway. */
function names(sim: Incarnation | undefined, { name }: Incarnation): boolean {
  return sim !== undefined && textAt(wanted(sim).spec, 'gatewayRef', 'name') === name;
}

/** Another of its name may have created what there is, or it came from a backup. */
function isAmbiguous(scene: Scene, incarnation: Incarnation): boolean {
  const version = wanted(incarnation);
  const name = displayNameOf(incarnation, version);
  const isSame = ({ spec }: typeof version, other: Incarnation) =>
    spec['zone'] === version.spec['zone'] && displayNameOf(other, { ...version, spec }) === name;
  const others = scene.intent.all.filter(
    (other) =>
      other.plural === 'mobilegateways' && other !== incarnation && other.versions.some((one) => isSame(one, other)),
  );
  return incarnation.isRestored || others.length > 0 || scene.script.steps.length > 0;
}
