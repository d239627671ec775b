import type { GatewayView, SimView } from '../../../../src/shadow/service/types.ts';
import { asksToStop, isStoppedFor } from '../data-limit.ts';
import type { Version } from '../intent.ts';
import { at, same, textAt } from '../json.ts';
import { type Claim, claims, displayNameOf, idsOf, mayDelete } from '../reading/claim.ts';
import { asksForRoute, gatewayReadings } from '../reading/gateway.ts';
import { isInSpec, listedCarriers, simReadings } from '../reading/sim.ts';
import { isByOperator, type Scene } from '../scene.ts';
import { checkSite } from './asked-for-sites.ts';
import type { AlwaysInvariant } from './invariant.ts';
import { type About, isWantedField, text } from './wanted-field.ts';

/** People may change what the operator read a moment ago, and whose other members it then writes back. Milliseconds. */
const RACE = 75_000;
/** The same of carriers, which are read once more right before they are changed. */
const CARRIERS_RACE = 30_000;

/**
 * Nothing is created, changed or deleted at the service that no resource asks for, and no field that is neither in a spec
 * nor was written before.
 */
export const askedFor: AlwaysInvariant = {
  name: 'asked for',
  watch: (scene, say) => ({
    changed(change) {
      // What arrives a second time was asked for the first time.
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      const about: About = {
        scene,
        change,
        moment,
        say: (message) => say(`${change.from} ${change.route}: ${message}`),
      };
      for (const object of change.objects) {
        if (object.kind === 'sims') checkSim(about, object.before, object.after);
        else if (object.kind === 'gateways') checkGateway(about, object.before, object.after);
        else if (object.kind === 'sites') checkSite(about, object.before, object.after);
      }
    },
  }),
};

function wasEdited({ scene, moment }: About, kind: string, id: string, race = RACE): boolean {
  const edited = scene.lastEdit(kind, id);
  return edited !== undefined && edited > moment - race;
}

function checkSim(about: About, before: SimView | undefined, after: SimView | undefined): void {
  const { scene, change, moment, say } = about;
  const view = after ?? before;
  if (!view) return;
  const { account } = change;
  const name = `SIM ${view.id} (${view.iccid})`;
  if (!before) {
    const isWanted = claims(scene, 'sims', account, moment).some((claim) =>
      claim.versions.some(
        (version) =>
          version.spec['iccid'] === view.iccid &&
          version.spec['adoption'] !== 'Required' &&
          version.spec['resourceID'] === undefined &&
          displayNameOf(claim.incarnation, version) === view.name,
      ),
    );
    if (!isWanted) say(`${name} is registered with the name ${view.name}, and no Sim asks for it`);
    return;
  }
  const found = scene.ownership.simClaims(account, before, moment);
  if (!after) {
    const isWanted = found.some((claim) =>
      mayDelete(claim, scene.atService.mayHaveCreated(claim.incarnation.uid, view.id)),
    );
    if (!isWanted) say(`${name} is deleted, and no Sim that is being deleted may do so`);
    return;
  }
  // What was written while it was on its way to another gateway may arrive once it is there.
  const places = [before, ...scene.atService.pastOf('sims', view.id, moment)].map(({ gatewayID }) => gatewayID);
  const isReleased = before.gatewayID !== null && releases(scene, account, before.gatewayID, moment);
  for (const reading of simReadings) {
    if (same(reading.part(before), reading.part(after))) continue;
    const { field } = reading;
    const isWanted = found.some((claim) => {
      if (field === 'carriers') return wantsCarriers(about, claim, before, after);
      if (isWantedField(scene, claim, reading, before, after)) return true;
      if (field === 'activated' && isWantedByGuard(about, claim, after)) return true;
      const isOff = mayDelete(claim, scene.atService.mayHaveCreated(claim.incarnation.uid, view.id));
      if (isOff && ['activated', 'gatewayRef', 'ipAddress', 'imeiLock'].includes(field))
        return reading.isUnset(after, before, '');
      if (field === 'imeiLock') return after.imeiLock === null && wantsOther(claim, 'imeiLock', before.imeiLock);
      const isMoved = claim.versions.some((version) =>
        places.some((gatewayID) => wantsOtherGateway(scene, claim, version, gatewayID)),
      );
      if (field === 'gatewayRef') return after.gatewayID === null && isMoved;
      if (field === 'ipAddress')
        return (
          after.ip === null && (isMoved || wantsOther(claim, 'ipAddress', before.ip) || leaves(scene, claim, view))
        );
      return false;
    });
    const isOfGateway =
      isReleased && (field === 'gatewayRef' || field === 'ipAddress') && reading.isUnset(after, before, '');
    if (isWanted || isOfGateway) continue;
    say(
      `${field} of ${name} changes from ${text(reading.part(before))} to ${text(reading.part(after))}, and no Sim asks for that`,
    );
  }
}

/** A SIM over its limit is deactivated; what was deactivated for that may be activated again where the spec does not say no. */
function isWantedByGuard({ scene, change, moment }: About, { incarnation, versions }: Claim, after: SimView): boolean {
  return after.activated
    ? versions.some((version) => !isInSpec(version, 'activated')) && isStoppedFor(scene, incarnation, after.id, change)
    : versions.some((version) => asksToStop(scene, version, after.id, moment));
}

function wantsOther({ versions }: Claim, field: string, value: unknown): boolean {
  return versions.some((version) => isInSpec(version, field) && version.spec[field] !== value);
}

/** A SIM without a gateway has no address: it goes with it. */
function leaves(scene: Scene, { versions, incarnation }: Claim, { id }: SimView): boolean {
  return (
    scene.ownership.owns(incarnation.uid, id, 'gatewayRef') &&
    versions.some((version) => !isInSpec(version, 'gatewayRef'))
  );
}

function wantsOtherGateway(
  scene: Scene,
  { incarnation, since }: Claim,
  version: Version,
  gatewayID: string | null,
): boolean {
  if (gatewayID === null || !isInSpec(version, 'gatewayRef')) return false;
  const name = textAt(version.spec, 'gatewayRef', 'name') ?? '';
  return [...idsOf(scene, 'mobilegateways', incarnation.namespace, name, since)].some((id) => id !== gatewayID);
}

/** A gateway that is being deleted may take SIMs off itself that nobody else does. */
function releases(scene: Scene, account: string, gatewayID: string, moment: number): boolean {
  const view = scene.atService.pastOf('gateways', gatewayID, moment)[0];
  return (
    view !== undefined &&
    scene.ownership
      .gatewayClaims(account, view, moment)
      .some(
        (claim) =>
          claim.versions.some(({ annotations }) => annotations['edgeline.dev/release-sims'] === 'true') &&
          mayDelete(claim, scene.atService.mayHaveCreated(claim.incarnation.uid, gatewayID)),
      )
  );
}

function wantsCarriers(about: About, claim: Claim, before: SimView, after: SimView): boolean {
  const { scene } = about;
  if (wasEdited(about, 'sims', after.id, CARRIERS_RACE)) return true;
  return after.carriers.every(({ name, allow }) => {
    if (before.carriers.some((one) => one.name === name && one.allow === allow)) return true;
    return claim.versions.some((version) => {
      const listed = listedCarriers(version.spec).find((one) => one.name === name);
      if (listed) return listed.allow === allow;
      return allow && scene.ownership.owns(claim.incarnation.uid, after.id, `carriers/${name}`);
    });
  });
}

function checkGateway(about: About, before: GatewayView | undefined, after: GatewayView | undefined): void {
  const { scene, change, moment, say } = about;
  const view = after ?? before;
  if (!view) return;
  const name = `gateway ${view.id} (${view.name})`;
  if (!before) {
    // Who created it was found by just what has to be so.
    const isWanted = claims(scene, 'mobilegateways', change.account, moment).some(
      ({ incarnation, versions }) =>
        scene.atService.mayHaveCreated(incarnation.uid, view.id) &&
        versions.some(({ spec }) => spec['adoption'] !== 'Required' && spec['planID'] === view.planID),
    );
    if (!isWanted) say(`${name} is created in ${view.zone}, and no MobileGateway asks for it`);
    return;
  }
  const found = scene.ownership.gatewayClaims(change.account, before, moment);
  const isOff = found.some((claim) => mayDelete(claim, scene.atService.mayHaveCreated(claim.incarnation.uid, view.id)));
  if (!after) {
    if (!isOff) say(`${name} is deleted, and no MobileGateway that is being deleted may do so`);
    return;
  }
  for (const reading of gatewayReadings) {
    if (same(reading.part(before), reading.part(after))) continue;
    const isWanted =
      found.some((claim) => isWantedField(scene, claim, reading, before, after)) ||
      (reading.field === 'simRoutes' && areRoutesWanted(about, found, before, after)) ||
      (reading.field === 'staticRoutes' && found.length > 0 && isFirstOfTwo(about, after)) ||
      (isOff && reading.isUnset(after, before, '')) ||
      // All settings are sent together: what people changed a moment ago may be put back.
      (change.route === 'PUT /appliance/:id' && wasEdited(about, 'gateways', view.id));
    if (isWanted) continue;
    say(
      `${reading.field} of ${name} changes from ${text(reading.part(before))} to ${text(reading.part(after))}, and no MobileGateway asks for that`,
    );
  }
  if (change.route === 'PUT /appliance/:id/config' && found.length === 0)
    say(`${name} is configured, and no MobileGateway asks for it`);
  if (
    change.route === 'PUT /appliance/:id/power' &&
    !found.some(({ incarnation }) => scene.atService.mayHaveCreated(incarnation.uid, view.id))
  ) {
    say(`${name} is started, and was not created by the operator`);
  }
  const isStarted = found.some(({ incarnation }) => at(incarnation.object, 'status', 'booted') === true);
  if (change.route === 'PUT /appliance/:id/power' && isStarted && before.stopped)
    say(`${name} is started again, and somebody had stopped it`);
  if (change.route === 'DELETE /appliance/:id/power' && !isOff) say(`${name} is stopped, and is not to be deleted`);
}

/**
 * Static routes into a network are sent once its interface is there. What was sent before them, and seemed lost, may arrive
 * after them.
 */
function isFirstOfTwo({ scene, moment }: About, after: GatewayView): boolean {
  const [left] = scene.atService.pastOf('gateways', after.id, moment);
  const hadInterface = (left?.pending?.privateInterface ?? null) !== null;
  return !hadInterface && after.pending?.privateInterface !== null && after.pending?.staticRoutes.length === 0;
}

/** Routes go with the SIM that leaves; others come and go one by one. */
function areRoutesWanted({ scene }: About, found: readonly Claim[], before: GatewayView, after: GatewayView): boolean {
  const has = (view: GatewayView, route: GatewayView['simRoutes'][number]) =>
    view.simRoutes.some((one) => same(one, route));
  const added = after.simRoutes.filter((route) => !has(before, route));
  const removed = before.simRoutes.filter((route) => !has(after, route));
  return (
    added.every((route) =>
      found.some(({ incarnation, versions, since }) =>
        versions.some((version) => asksForRoute(scene, incarnation, version, route, since)),
      ),
    ) &&
    removed.every((route) => {
      if (scene.atService.now('sims', route.simID)?.gatewayID !== after.id) return true;
      return found.some(({ incarnation, versions, since }) =>
        versions.some(
          (version) =>
            !asksForRoute(scene, incarnation, version, route, since) &&
            (isInSpec(version, 'simRoutes') || scene.ownership.owns(incarnation.uid, after.id, 'simRoutes')),
        ),
      );
    })
  );
}
