import type { Gateway } from '../../cloud/gateway/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { type Counterpart, isSameCounterpart } from '../../reconcile/claims.ts';
import { createSealReader, type Sealer } from '../../reconcile/seal.ts';
import type { MadeGateways } from './made.ts';
import { type Maker, makerOf, mayBeTheMaker, type Rival } from './makers.ts';
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
  self: Maker,
  identity: string,
  items: ReadonlyMap<string, Gateway>,
  sources: Others,
): ClaimedIDs {
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
      const isOnlyNamed = has !== made && status?.id === undefined;
      const mayBeHere = theirs === undefined || theirs === identity;
      if (isOnlyNamed && mayBeHere && mayBeTheMaker(other, item, [self])) continue;
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

function recordedBy({ spec, status }: MobileGateway): Counterpart[] {
  if (status?.id !== undefined) return [{ id: status.id, createdAt: status.createdAt }];
  return spec.resourceID === undefined ? [] : [{ id: spec.resourceID }];
}

/**
 * Who else may have made a gateway of the zone, and does not know which. An account that can't be told may be the same.
 */
export function rivalsOf(object: MobileGateway, identity: string, sources: Others): Rival[] {
  return sources.gateways().flatMap((other) => {
    const { metadata, spec, status } = other;
    const { creation, ...maker } = makerOf(other, undefined);
    const isUndecided = idOf(other) === undefined && sources.made.of(metadata.uid) === undefined;
    if (metadata.uid === object.metadata.uid || spec.zone !== object.spec.zone || !isUndecided || !creation) return [];
    const account = sources.accounts.resolve(metadata.namespace ?? '', spec, status?.accountRef);
    if ('session' in account && account.session.identity !== identity) return [];
    return { ...maker, creation };
  });
}

/** Whether the operator itself wrote that the resource has this gateway, or has just made or found it. */
export function isProven(object: MobileGateway, { id }: Gateway, sealer: Sealer, { made }: Others): boolean {
  const isSealed = object.status?.id === id && seals.sealedSince(object, sealer) !== undefined;
  return isSealed || made.of(object.metadata.uid)?.id === id;
}
