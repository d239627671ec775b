import type { Gateway } from '../../cloud/gateway/types.ts';
import { Annotation, isSet } from '../../reconcile/annotations.ts';
import { type Sealer, sealOfIntent } from '../../reconcile/seal.ts';
import type { GatewayMarks } from './facts.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';

/** Clocks of the service and of the cluster may differ by this much. Milliseconds. */
const SKEW_MILLISECONDS = 5 * 60_000;
/** A request may wait for its turn, and be late. An intent from before, put back by somebody, says nothing of a gateway. Milliseconds. */
const LONGEST_WAY_MILLISECONDS = 15 * 60_000;
/** Who has not found its own by then, as one that is paused, holds up nobody any longer. Milliseconds. */
const LONGEST_WAIT_MILLISECONDS = 24 * 3_600_000;
/** How often it is looked again whether the other one knows by now. Seconds. */
const RETRY_SECONDS = 15;

/** An intent to create. */
export type Creation = NonNullable<GatewayMarks['creation']>;

/** By whose secret intents are told from forged ones, and when, in milliseconds since the epoch by the clock of the cluster. */
export interface Judge {
  readonly sealer: Sealer;
  readonly now: number;
}

/** What its gateway is called at the service. */
export function nameOf({ spec, metadata }: MobileGateway): string {
  return spec.displayName ?? metadata.name;
}

/** `namespace/name`. */
export function fullName({ metadata }: MobileGateway): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** No more IDs are put on record: of gateways of the name, and of those that the list does not show yet. */
const MOST_NAMESAKES = 100;
const MOST_UNSHOWN = 50;

/**
 * What is put on record before a gateway is asked for; `items`: those that are there, and `made`: IDs of others that may not be
 * shown yet. Pure.
 */
export function intentOf(
  object: MobileGateway,
  { sealer, now }: Judge,
  items: readonly Gateway[],
  made: readonly string[],
): Creation {
  const name = nameOf(object);
  const bornAt = ({ createdAt }: Gateway) => Date.parse(createdAt ?? '') || Number.MAX_SAFE_INTEGER;
  // An old one is told from what is made now by its age, too.
  const named = items.filter((one) => one.name === name).toSorted((one, other) => bornAt(other) - bornAt(one));
  const shown = new Set(items.map(({ id }) => id));
  const unshown = made.filter((id) => !shown.has(id)).slice(0, MOST_UNSHOWN);
  const namesakes = [...named.slice(0, MOST_NAMESAKES).map(({ id }) => id), ...unshown];
  const { planID } = object.spec;
  const intent = {
    name,
    requestedAt: new Date(now).toISOString(),
    ...(planID !== undefined && { planID }),
    ...(namesakes.length > 0 && { namesakes }),
  };
  return { ...intent, seal: sealOfIntent(sealer, object.metadata.uid, intent) };
}

/** Whether a gateway was not there before an intent to create it, nor is clearly older. Pure. */
export function mayBeMadeBy(creation: Creation, gateway: Gateway): boolean {
  if (creation.namesakes?.includes(gateway.id)) return false;
  return !(Date.parse(gateway.createdAt ?? '') < Date.parse(creation.requestedAt) - SKEW_MILLISECONDS);
}

/**
 * Whether a MobileGateway that has none may have made this one, by an intent that the operator put on record for it in that
 * account. One that names another ID has been told that it is not its own; one that is abandoned does not look for it.
 */
export function mayHaveMade(object: MobileGateway, gateway: Gateway, { sealer, now }: Judge): boolean {
  const { metadata, spec, status } = object;
  const { creation } = status ?? {};
  if (!creation || status?.id !== undefined || isSet(object, Annotation.abandon)) return false;
  if ((spec.resourceID ?? gateway.id) !== gateway.id) return false;
  if (creation.name !== gateway.name || !mayBeMadeBy(creation, gateway)) return false;
  const requestedAt = Date.parse(creation.requestedAt);
  if (Date.parse(gateway.createdAt ?? '') > requestedAt + LONGEST_WAY_MILLISECONDS) return false;
  if (now > requestedAt + LONGEST_WAIT_MILLISECONDS) return false;
  return creation.seal === sealOfIntent(sealer, metadata.uid, creation);
}

/**
 * Whether a MobileGateway that only names a gateway has to leave it to another one first: to one of another namespace that
 * may have made it, and does not know yet. IDs can be guessed. Within a namespace, and where both may have made it, what is
 * named is what a person decided.
 */
export function givesWay(namer: MobileGateway, maker: MobileGateway, gateway: Gateway, judge: Judge): boolean {
  if (namer.metadata.namespace === maker.metadata.namespace) return false;
  return mayHaveMade(maker, gateway, judge) && !mayHaveMade(namer, gateway, judge);
}

/** Waits for who may have made it; one that is being deleted leaves it alone, unless it has made it itself. */
export function holdMayBeAnothers(
  { metadata, status }: MobileGateway,
  { id }: Gateway,
  maker: MobileGateway,
): GatewayHold {
  const may = `MobileGateway ${fullName(maker)} may have made gateway ${id}, and does not know yet`;
  const leaves = metadata.deletionTimestamp !== undefined && status?.ownership !== 'Created';
  return {
    state: 'Waiting',
    reason: GatewayReason.MayBeAnothers,
    message: leaves
      ? `Let go: the ${may}. It stays.`
      : `The ${may}: it is left alone until that one has found its own, for a day at most. If this lasts, see what that one waits for, such as a person or the end of a pause; abandoned, it is waited for no longer.`,
    ...(leaves ? { leaves } : { retryAfterSeconds: RETRY_SECONDS }),
  };
}
