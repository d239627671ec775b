import type { SimView } from '../../../../src/shadow/service/types.ts';
import { asksToStop, isGuarded } from '../data-limit.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { at, textAt } from '../json.ts';
import type { Scene } from '../scene.ts';
import { isAddressKept } from './address-kept.ts';
import {
  accountOf,
  commonReasons,
  gatewayNamed,
  idOf,
  isExtended,
  isNamedByBackup,
  isOfAnotherName,
  nameIn,
  type Reasons,
  rivals,
  secretNow,
  simsOfICCID,
  wanted,
  worldOf,
} from './diagnosis.ts';

/** What is refused is asked for again within this time. Milliseconds. */
const ASKED_AGAIN = 330_000;

/** Why a Sim may not be as its spec says. `view` is its SIM, if there is one. */
export function simReasons(scene: Scene, incarnation: Incarnation, view: SimView | undefined): Reasons {
  const reasons = commonReasons(scene, incarnation);
  const { spec } = wanted(incarnation);
  const account = accountOf(scene, incarnation);
  const world = account && worldOf(scene, account);
  const { namespace } = incarnation;
  if (rivals(scene, incarnation, (other) => other['iccid'] === spec['iccid'])) reasons.add('AlreadyManaged');
  const all = world === undefined ? [] : [...scene.world.service.world(world).sims.values()];
  const isThere = simsOfICCID(scene, incarnation);
  if (isThere.length > 1) reasons.add('AmbiguousICCID');
  const named = all.find(({ id }) => id === spec['resourceID']);
  if (named && named.iccid !== spec['iccid']) reasons.add('ResourceIDMismatch');
  if (view && isAnotherThanRecorded(incarnation, view)) reasons.add('NotTheSame');
  if (isThere.length === 0) {
    if (isNamedByBackup(incarnation)) reasons.add('NotTheSame');
    // That another account let go of it shows only by asking again.
    const since = scene.world.now() - ASKED_AGAIN;
    if (scene.atService.wasElsewhere(spec['iccid'], world, since)) reasons.add('Conflict');
    if (spec['adoption'] === 'Required') reasons.add('AdoptionPending');
    if (spec['managementPolicy'] === 'Observe') reasons.add('NothingToObserve');
    const ref = spec['passCodeSecretRef'];
    if (ref === undefined) reasons.add('PassCodeRequired');
    else {
      const code = secretNow(scene, namespace, textAt(ref, 'name'), textAt(ref, 'key'));
      if (code === undefined) reasons.add('PassCodeSecretNotFound').add('PassCodeKeyMissing');
      else if (code !== scene.script.setting.passCodes[textAt(spec, 'iccid') ?? '']) reasons.add('Rejected');
    }
  }
  // Of two that asked for it nobody here can tell whose it is.
  const mayBeOthers = ({ id }: SimView) =>
    reasons.has('AlreadyManaged') || !scene.atService.mayHaveCreated(incarnation.uid, id);
  if (spec['adoption'] === 'Never' && isThere.some(mayBeOthers)) reasons.add('AdoptionRefused');
  if (spec['displayName'] !== undefined && view && view.name !== spec['displayName'] && !isExtended(account)) {
    reasons.add('DisplayNameNotChangeable');
  }
  if (view && isGuarded(wanted(incarnation)) && asksToStop(scene, wanted(incarnation), view.id, scene.world.now())) {
    reasons.add('DataLimitExceeded');
  }
  const gatewayName = nameIn(spec, 'gatewayRef');
  if (gatewayName !== undefined) addGatewayReasons(scene, incarnation, gatewayName, world, reasons);
  const ip = spec['ipAddress'];
  const gatewayID = view?.gatewayID;
  const target = gatewayName === undefined ? undefined : gatewayNamed(scene, namespace, gatewayName);
  // A SIM moves to another gateway only once its address there is free.
  const placeID = (target && idOf(target)) ?? gatewayID ?? undefined;
  const holder = all.find(
    (other) => ip !== undefined && other.ip === ip && other.id !== view?.id && other.gatewayID === placeID,
  );
  // Another SIM has the address, and is not to have another.
  if (holder && (!view || reasons.size > 0 || isAddressKept(scene, incarnation, view, { gatewayID: placeID, all })))
    reasons.add('Conflict').add('AddressTaken');
  // Another Sim asks for it, too, and goes first; who goes first waits for the SIM that has it, and that may wait for both.
  if (ip !== undefined && rivals(scene, incarnation, (other) => other['ipAddress'] === ip)) {
    reasons.add('AddressTaken');
    if (holder) reasons.add('Conflict');
  }
  if (gatewayID !== null && gatewayID !== undefined && ip !== undefined) {
    const network = scene.atService.now('gateways', gatewayID)?.applied?.privateInterface;
    if (network?.ipAddress === ip) reasons.add('AddressNotUsable');
    const isInside = network && typeof ip === 'string' && isIn(network, ip);
    if (!isInside && scene.script.setting.service.ipMustBeInSubnet) reasons.add('Rejected');
  }
  return reasons;
}

/** Another service may give the same ID: what was made at another time is not what a resource has. */
function isAnotherThanRecorded({ object }: Incarnation, { id, createdAt }: SimView): boolean {
  const recorded = textAt(object, 'status', 'id') === id ? textAt(object, 'status', 'createdAt') : undefined;
  return recorded !== undefined && Math.floor(Date.parse(recorded) / 1000) !== Math.floor(createdAt / 1000);
}

function addGatewayReasons(
  scene: Scene,
  incarnation: Incarnation,
  name: string,
  world: string | undefined,
  reasons: Reasons,
): void {
  const { namespace } = incarnation;
  const own = accountOf(scene, incarnation);
  const gateway = gatewayNamed(scene, namespace, name);
  if (!gateway) {
    reasons.add('GatewayNotFound');
    return;
  }
  const account = accountOf(scene, gateway);
  // Two accounts in the cluster may be one at the service, and the operator need not know.
  if (account !== own || (account && worldOf(scene, account) !== world)) reasons.add('GatewayInOtherAccount');
  const id = idOf(gateway);
  const view = id === undefined ? undefined : scene.atService.now('gateways', id);
  if (!view || gateway.deletedAt !== undefined || view.availability !== null) reasons.add('GatewayNotReady');
  if (at(gateway.object, 'status', 'id') === undefined) reasons.add('GatewayNotReady');
  // While so much is missing that it can't be told whether it is gone, its status names it still.
  if (id !== undefined && !view && reasons.has('ManyMissing')) reasons.add('NotFound');
  // Paused or abandoned before it was ever ready, it is not known to be.
  const told = conditionOf(gateway.object, 'Ready')?.reason ?? '';
  if (told === 'CreationAmbiguous' && isOfAnotherName(scene, gateway)) reasons.add('GatewayNotReady');
  if (['Paused', 'Abandoned'].includes(told) && commonReasons(scene, gateway).has(told)) reasons.add('GatewayNotReady');
}

/** Whether an IPv4 address is in the network of an interface. */
function isIn(network: { readonly ipAddress: string; readonly networkMaskLength: number }, address: string): boolean {
  const bits = (ip: string) =>
    ip
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, network.networkMaskLength);
  return bits(network.ipAddress) === bits(address);
}
