import type { Gateway } from '../../cloud/gateway/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import type { Claims } from '../../reconcile/claims.ts';
import { type Counterpart, isSameCounterpart } from '../../reconcile/counterpart.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { isMadeBetween } from '../../reconcile/restored.ts';
import { createSealReader } from '../../reconcile/seal.ts';
import type { GatewayMarks } from './facts.ts';
import type { Rival } from './find.ts';
import type { MadeGateways } from './made.ts';
import { fullName, givesWay, type Judge, mayHaveMade } from './makers.ts';
import type { MobileGateway } from './schema.ts';

/** What telling one's own gateway from those of others takes. */
export interface Others {
  readonly accounts: AccountResolver;
  readonly made: MadeGateways;
  /** All MobileGateways of the cluster. */
  readonly gateways: () => readonly MobileGateway[];
}

const seals = createSealReader('MobileGateway');

/** The gateway a resource has, or says it is to have. */
export function idOf(object: MobileGateway): string | undefined {
  return object.status?.id ?? object.spec.resourceID;
}

/** IDs of gateways that others have, and of those that others may have. */
export interface ClaimedIDs {
  readonly claimed: ReadonlySet<string>;
  readonly doubtful: ReadonlySet<string>;
}

/**
 * Which of the gateways listed belong to others. Two accounts may be one at the service, and two services may give the
 * same ID: of another account, or one that can't be told, a gateway is the same when it was made at the same time.
 */
export function claimedIDs(
  object: MobileGateway,
  judge: Judge,
  items: ReadonlyMap<string, Gateway>,
  sources: Others,
): ClaimedIDs {
  const { identity } = judge.sealer;
  const claimed = new Set<string>();
  const doubtful = new Set<string>();
  for (const other of sources.gateways()) {
    const { metadata, spec, status } = other;
    if (metadata.uid === object.metadata.uid || spec.zone !== object.spec.zone) continue;
    const account = sources.accounts.resolve(metadata.namespace ?? '', spec, status?.accountRef);
    const theirs = 'session' in account ? account.session.identity : undefined;
    const made = sources.made.of(metadata.uid);
    for (const has of [...recordedBy(other), made]) {
      const item = has && items.get(has.id);
      if (!item || !isSameCounterpart(has, item)) continue;
      const mayBeHere = theirs === undefined || theirs === identity;
      if (mayBeHere && isOnlyNamedBy(other, object, item, judge, sources)) continue;
      const isSure = theirs === identity || (has.createdAt !== undefined && item.createdAt !== undefined);
      // A copy of a status is no proof against whoever made it: nor is a restored one before what it names was found, nor
      // what anybody may have written.
      const isRecord = has !== made && status?.id === has.id;
      const isProof = 'session' in account && seals.sealedSince(other, account.session) !== undefined;
      if (isRecord && !isProof) doubtful.add(has.id);
      else if (isSure) claimed.add(has.id);
      // What another account only names, and has not found, says nothing of this one.
      else if (theirs === undefined || status?.id !== undefined || has === made) doubtful.add(has.id);
    }
  }
  return { claimed, doubtful };
}

/**
 * The gateways that were made while a creation without an answer may have been carried out, and that no MobileGateway has,
 * had as far as this process knows, or has asked for by their name. That somebody may have one (`doubtful`) explains nothing: anybody may name an ID.
 */
export function unexplained(
  {
    object,
    progress,
    unclearSince,
    unclearUntil,
  }: Pick<Pass<MobileGateway>, 'object' | 'progress' | 'unclearSince' | 'unclearUntil'>,
  { claimed }: Pick<ClaimedIDs, 'claimed'>,
  judge: Judge,
  items: ReadonlyMap<string, Gateway>,
  { gateways, made }: Pick<Others, 'gateways' | 'made'>,
): Gateway[] {
  const { zone } = object.spec;
  const { creation }: GatewayMarks = progress.marks;
  const { planID = object.spec.planID } = creation ?? {};
  const strangers = [...items.values()].filter(
    (one) =>
      isMadeBetween(one.createdAt, unclearSince, unclearUntil) &&
      !claimed.has(one.id) &&
      creation?.namesakes?.includes(one.id) !== true &&
      !made.isOfSome(judge.sealer.identity, one.id) &&
      (planID === undefined || (one.planID ?? planID) === planID),
  );
  if (strangers.length === 0) return strangers;
  const others = gateways().filter(({ spec }) => spec.zone === zone);
  return strangers.filter((one) => !others.some((other) => mayHaveMade(other, one, judge)));
}

function recordedBy({ spec, status }: MobileGateway): Counterpart[] {
  if (status?.id !== undefined) return [{ id: status.id, createdAt: status.createdAt }];
  return spec.resourceID === undefined ? [] : [{ id: spec.resourceID }];
}

/** Who else asked for a gateway of that name and does not know what became of it. An account that can't be told may be the same. */
export function rivalsFor(
  object: MobileGateway,
  creation: GatewayMarks['creation'],
  identity: string,
  sources: Others,
): Rival[] {
  if (!creation) return [];
  return sources.gateways().flatMap((other) => {
    const { metadata, spec, status } = other;
    const isUndecided = idOf(other) === undefined && sources.made.of(metadata.uid) === undefined;
    if (metadata.uid === object.metadata.uid || spec.zone !== object.spec.zone || !isUndecided) return [];
    if (status?.creation?.name !== creation.name) return [];
    const account = sources.accounts.resolve(metadata.namespace ?? '', spec, status.accountRef);
    if ('session' in account && account.session.identity !== identity) return [];
    return { name: fullName(other), creation: status.creation };
  });
}

/** Who has to say first whether a gateway is its own, before this one takes what it only names; see {@link givesWay}. */
export function makerBefore(
  object: MobileGateway,
  gateway: Gateway,
  judge: Judge,
  { gateways, made }: Others,
): MobileGateway | undefined {
  const isSealed = object.status?.id === gateway.id && isProven(object, judge);
  if (isSealed || made.of(object.metadata.uid)?.id === gateway.id) return undefined;
  return gateways().find(
    (other) =>
      other.spec.zone === object.spec.zone &&
      made.of(other.metadata.uid) === undefined &&
      givesWay(object, other, gateway, judge),
  );
}

/** All but those that only name a gateway which this one may have made, and have not found it. */
export function contendersFor(
  object: MobileGateway,
  gateway: Gateway,
  judge: Judge,
  sources: Others & { readonly claims: Pick<Claims<MobileGateway>, 'of'> },
): MobileGateway[] {
  const isFound = ({ metadata }: MobileGateway) => sources.claims.of(metadata.uid)?.id === gateway.id;
  return sources.gateways().filter((other) => isFound(other) || !isOnlyNamedBy(other, object, gateway, judge, sources));
}

/** An ID that the operator has not put on record is no more than a name: anybody may write it into a status. */
function isOnlyNamedBy(
  other: MobileGateway,
  object: MobileGateway,
  gateway: Gateway,
  judge: Judge,
  { made }: Pick<Others, 'made'>,
): boolean {
  // In this order: most have no intent, and need no digest of each other's seals.
  if (!givesWay(other, object, gateway, judge)) return false;
  return !isProven(other, judge) && made.of(other.metadata.uid)?.id !== gateway.id;
}

function isProven(object: MobileGateway, { sealer }: Judge): boolean {
  return seals.sealedSince(object, sealer) !== undefined;
}
