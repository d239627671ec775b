import type { Gateway } from '../../cloud/gateway/types.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import { isSameCounterpart } from '../../reconcile/counterpart.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { differsInTime, holdStranger, type Proposal } from '../cloud-account/losses.ts';
import type { AccountReason } from '../cloud-account/reasons.ts';
import { type Creation, mayBeMadeBy, nameOf } from './makers.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';

/** Another resource may decide meanwhile what can't be told here. Seconds. */
const UNDECIDED_RETRY_SECONDS = 30;
/**
 * What a person may do who wants another one, as long as the name is still that of the interrupted creation. That it was told
 * is read off the status later (`isRenounced`): the words stay, and no list before them is so long that they are cut.
 */
const ANOTHER_NAME = 'another displayName';
const DELETION_ADVICE =
  'Set resourceID to the one to delete with this resource, or deletionPolicy: Orphan to let go of all of them.';

/** Another MobileGateway that does not know either which gateway its interrupted creation made. */
export interface Rival {
  /** `namespace/name`. */
  readonly name: string;
  readonly creation: Creation;
}

/** What is known of who a gateway belongs to. */
export interface GatewaySearch {
  /** The intent of a creation whose answer nobody kept. */
  readonly creation: Creation | undefined;
  /** What was made after this was made by somebody else, or by a request that was long on its way. Epoch milliseconds. */
  readonly until: number;
  /**
   * The finalizer says that a gateway of this name may have been created, and no status says more: the operator died
   * before it asked for one, or the resource came back from a backup without its status.
   */
  readonly forgotten: string | undefined;
  /** IDs that belong to other MobileGateways. */
  readonly claimed: ReadonlySet<string>;
  /** IDs that may belong to others. */
  readonly doubtful: ReadonlySet<string>;
  /** Those that asked for a gateway of the same name, in what may be the same account and zone. */
  readonly rivals: readonly Rival[];
}

/** What a look at a zone finds; `renounced`: what an interrupted creation made is not wanted any more. */
export type FoundGateway =
  | { readonly item: Gateway | undefined; readonly renounced?: true }
  | { readonly hold: GatewayHold };

/** Whether a gateway of the list is the one a status recorded: an ID alone is none, and names change. Pure. */
export function isTheGateway({ status }: MobileGateway, gateway: Gateway): boolean {
  return status?.id !== gateway.id || isSameCounterpart({ id: gateway.id, createdAt: status.createdAt }, gateway);
}

/** Whether a gateway is what the spec asks for, by its ID or its name. Pure. */
export function isMeantBy(object: MobileGateway, { id, name }: Pick<Gateway, 'id' | 'name'>): boolean {
  const { resourceID } = object.spec;
  return resourceID === undefined ? name === nameOf(object) : id === resourceID;
}

/**
 * The gateway that belongs to a resource with none on record, in the list of its zone: the one `resourceID` names, or
 * what an interrupted creation left, found by its exact name, its age and nobody else's claim. What two resources may
 * have made belongs to neither until a person has said so: the wrong one would be deleted with its resource.
 */
export function findGateway(
  object: MobileGateway,
  search: GatewaySearch,
  items: ReadonlyMap<string, Gateway>,
): FoundGateway {
  const { resourceID } = object.spec;
  const { creation, forgotten } = search;
  if (resourceID !== undefined) {
    const meant = items.get(resourceID);
    // What an interrupted creation made, before the ID was in the spec, goes with the resource.
    const isMade = meant && creation && !search.claimed.has(meant.id) && mayBeMadeBy(creation, meant);
    if (!creation || isMade || object.metadata.deletionTimestamp === undefined) return { item: meant };
  }
  const named = (name: string) =>
    [...items.values()].filter((gateway) => gateway.name === name && !search.claimed.has(gateway.id));
  if (creation) {
    const candidates = named(creation.name).filter((gateway) => mayBeMadeBy(creation, gateway));
    const rivals = search.rivals.filter((rival) => candidates.some((one) => mayBeMadeBy(rival.creation, one)));
    if (candidates.length === 0) return { item: undefined };
    const isDoubtful = (one: Gateway) => search.doubtful.has(one.id) || !isMadeBy(one, search.until);
    const isSure = candidates.length === 1 && !candidates.some(isDoubtful);
    if (isSure && rivals.length === 0) return { item: candidates[0] };
    if (isRenounced(object, creation)) return { item: undefined, renounced: true };
    return { hold: holdAmbiguous(object, creation, candidates, rivals) };
  }
  const candidates = forgotten === undefined ? [] : named(forgotten);
  return candidates.length === 0 ? { item: undefined } : { hold: holdForgotten(object, forgotten ?? '', candidates) };
}

/**
 * Why no other gateway is asked for though the zone has none of the name: somebody may have renamed what an interrupted
 * creation made. Undefined: nothing was made meanwhile that nobody has, or a person was told, and wants one of another name.
 */
export function holdRenamed(
  object: MobileGateway,
  creation: Creation | undefined,
  madeMeanwhile: readonly Gateway[],
): GatewayHold | undefined {
  if (!creation || madeMeanwhile.length === 0) return undefined;
  // Who asks for one by the name that it has by now does not want another.
  const isNamed = madeMeanwhile.some(({ name }) => name === nameOf(object));
  if (!isNamed && isRenounced(object, creation)) return undefined;
  const names = listed(madeMeanwhile.map(({ id, name }) => `${id} ("${name}")`));
  const rename = isNamedAs(object, creation) ? `give this resource ${ANOTHER_NAME}, which none of these has, or ` : '';
  const advice = object.metadata.deletionTimestamp
    ? DELETION_ADVICE
    : `If one of them is it, set resourceID to its ID. Otherwise ${rename}set deletionPolicy: Orphan, delete this resource and create it again: then a new gateway is made.`;
  return ambiguous(
    `The creation of "${creation.name}" was interrupted, and the zone has no gateway of that name. Others were made at that time, and no MobileGateway is known to have them: ${names}. Somebody may have renamed what it made. ${advice}`,
    madeMeanwhile.map(({ id }) => id),
  );
}

/** Why nothing is done with the gateway that has the recorded ID. */
export function holdOtherGateway({ status }: MobileGateway, gateway: Gateway, proposal: Proposal): Hold<AccountReason> {
  return holdStranger(`gateway ${gateway.id}`, differsInTime(status?.createdAt), proposal);
}

/** Whether a gateway was clearly there at that moment. Epoch milliseconds. */
export function isMadeBy({ createdAt }: Gateway, until: number): boolean {
  return !(Date.parse(createdAt ?? '') > until);
}

/** A person was told of the candidates, and has asked for a gateway of another name since. */
function isRenounced(object: MobileGateway, creation: Creation): boolean {
  if (isNamedAs(object, creation)) return false;
  const told = findCondition(object.status?.conditions, 'Stalled');
  if (told?.reason !== GatewayReason.CreationAmbiguous || !told.message.includes(ANOTHER_NAME)) return false;
  return (told.observedGeneration ?? 0) < (object.metadata.generation ?? 0);
}

/** A person was told that this may be what the interrupted creation made. */
export function wasAskedOf({ status }: MobileGateway, { id }: Gateway): boolean {
  const told = findCondition(status?.conditions, 'Stalled');
  return told?.reason === GatewayReason.CreationAmbiguous && told.message.includes(id);
}

function isNamedAs(object: MobileGateway, { name }: Creation): boolean {
  return nameOf(object) === name;
}

function holdForgotten({ metadata }: MobileGateway, name: string, candidates: readonly Gateway[]): GatewayHold {
  const ids = candidates.map((gateway) => gateway.id);
  if (metadata.deletionTimestamp) {
    return {
      state: 'Waiting',
      reason: GatewayReason.CreationAmbiguous,
      message: `Let go: nothing shows that this resource made a gateway. The zone has one of its name, "${name}", which stays: ${ids.join(', ')}.`,
      leaves: true,
    };
  }
  return ambiguous(
    `This resource may have created a gateway, and it has none by now: its status is gone, as after a restore from a backup, or the gateway is. The zone has one of its name, "${name}": ${ids.join(', ')}. Set resourceID to it if it is the one; otherwise give this resource another displayName, and a new gateway is made.`,
    ids,
  );
}

/** The status was written for another resource, and names a gateway that the spec does not mean. */
export function holdAnothers(object: MobileGateway, { id }: Gateway): GatewayHold {
  return ambiguous(
    `The status of this resource was written for another one, as a backup or a copy is, and names gateway ${id}, which is not called "${nameOf(object)}". Set resourceID to it if it is the one, or displayName to its name; otherwise create this resource again, and a new gateway is made.`,
    [id],
  );
}

/** So many are named; a name may be long. */
const MOST_LISTED = 10;

function listed(texts: readonly string[]): string {
  const more = texts.length > MOST_LISTED ? `, … (${texts.length} in all)` : '';
  return `${texts.slice(0, MOST_LISTED).join(', ')}${more}`;
}

/** It waits until a person has said which it is. */
function ambiguous(message: string, candidates: readonly string[]): GatewayHold {
  return {
    state: 'Stalled',
    reason: GatewayReason.CreationAmbiguous,
    message,
    candidates,
    retryAfterSeconds: UNDECIDED_RETRY_SECONDS,
  };
}

function holdAmbiguous(
  object: MobileGateway,
  creation: Creation,
  candidates: readonly Gateway[],
  rivals: readonly Rival[],
): GatewayHold {
  const { name } = creation;
  const ids = candidates.map((gateway) => gateway.id);
  const happened =
    rivals.length > 0
      ? `The creation of "${name}" was interrupted, and so was that of ${listed(rivals.map((rival) => rival.name))}. It can't be determined which of them created these gateways of that name: ${listed(ids)}.`
      : `The creation of "${name}" was interrupted, and it can't be determined which of these gateways of that name it created: ${listed(ids)}.`;
  const advice = object.metadata.deletionTimestamp
    ? DELETION_ADVICE
    : `Set resourceID to the one that is meant, or ${isNamedAs(object, creation) ? ANOTHER_NAME : 'deletionPolicy: Orphan, delete this resource and create it again'} to have a new one made; then delete at the service what nobody needs.`;
  return ambiguous(`${happened} ${advice}`, ids);
}
