import type { AccountResolver } from './account.ts';
import { Annotation, isSet } from './annotations.ts';
import { type Counterpart, competes, isProven, isSameCounterpart, type Rival } from './counterpart.ts';
import { type Evidence, firstOf, isOfTheCluster, isProofOf, ranksElsewhere, ranksOf } from './evidence.ts';
import type { AccountRef, ManagedObject } from './managed-object.ts';
import { isStatusOfAnother } from './restored.ts';
import { createSealReader, type SealedRecord, type Sealer, sealOf } from './seal.ts';
import type { AccountSession } from './session.ts';

/** When this process learnt that what has this ID was made: a status that tells of the one has to tell of the other. */
export function learntCreation<T extends ManagedObject>(
  claims: Pick<Claims<T>, 'of'>,
  { metadata }: T,
  id: string,
): { createdAt: string } | undefined {
  const known = claims.of(metadata.uid);
  return known?.id === id && known.createdAt !== undefined ? { createdAt: known.createdAt } : undefined;
}

/** Who has which object of the service: one of Kubernetes each. */
export interface Claims<T extends ManagedObject> {
  /**
   * Claims `wanted` for the object, in the account of its session: undefined, or who has it. Anybody may write what a
   * status has on record, and be older, so of several it is the one that this process knows to have it, of these the first;
   * else the one whose record is sealed, of these the last that got it. Of the others it is the one that has it on record, a
   * record of its own before a copied one of the same account, with its time before one without, else the oldest. What is
   * claimed counts from now on, also before it is on record. A seal counts among those of one account alone: anybody can make one with an account of their own, and that it
   * can't be verified after its Secret was exchanged says nothing. But whoever has one is kept from what its own account
   * shows by those of the cluster's accounts alone: the service behind any other may be made up.
   */
  claim(object: T, wanted: Counterpart, session: Sealer, candidates: readonly T[]): T | undefined;
  /** Who would have it, though it is not there yet; what the object claimed before is there no more. */
  holder(object: T, session: Sealer, candidates: readonly T[]): T | undefined;
  /** Whether another would get what has this ID, whatever time the object's own status names with it; nothing is claimed. */
  isOfAnother(object: T, id: string, candidates: readonly T[]): boolean;
  /** Whether this process has seen it to have this, in the account in which it is now. */
  has(object: T, wanted: Counterpart): boolean;
  /** What it claimed last, as far as this process knows: of what was just made, the time that no list shows yet, too. */
  of(uid: string): Counterpart | undefined;
  /** When to look again, of what was denied only as long as somebody else's record can't be told. */
  waits(object: T): { readonly retryAfterSeconds?: number };
  /** The seal of a record of what was claimed last; undefined where this is of anything else. */
  seal(record: SealedRecord): string | undefined;
  /** The resource is gone, or gave up what it had: it proves nothing for it any more. */
  drop(uid: string): void;
}

/** What a resource claimed, and by which account. */
interface Claim {
  readonly counterpart: Counterpart;
  readonly sealer: Sealer;
  /** The resource of the account: it outlives its credentials. */
  readonly account: string | undefined;
  /** When it got it. Milliseconds since the epoch. */
  readonly since: number;
  /** Of the record that was sealed last. */
  sealed?: { readonly createdAt: string | undefined; readonly seal: string };
}

/** Who may have what is claimed, and where it lives. */
interface Contender<T> extends Rival {
  readonly object: T;
  /** Undefined while its account can't be told. */
  readonly account: { readonly name: string; readonly ref: AccountRef; readonly sealer: AccountSession } | undefined;
}

/**
 * So long at the start of a process whoever may have a better record is waited for, though it can't be told yet: accounts are
 * looked at one after the other. Short, for anybody can bring it about. Milliseconds.
 */
const STARTING_MILLISECONDS = 20_000;
/** The same by who was never given a seal, or gave up what it was of. Milliseconds. */
const PATIENCE_MILLISECONDS = 900_000;

/**
 * `kind` is that of the resources; `now` what time it is in the cluster, in milliseconds since the epoch. `listOf`: what an
 * account shows where a resource is, by ID; undefined before it has shown anything. Two of one service that show the same count
 * as one account: no tenant can make that up at the service of another.
 */
export function createClaims<T extends ManagedObject>(
  kind: string,
  accounts: AccountResolver,
  now: () => number,
  listOf: (session: AccountSession, object: T) => ReadonlyMap<string, Counterpart> | undefined,
): Claims<T> {
  const claimed = new Map<string, Claim>();
  const seals = createSealReader(kind);
  /** Since when what has this ID is claimed in this process: once in its life, for anybody can have others wait for it. */
  const claimedSince = new Map<string, number>();
  /** Who waits for a record, by UID, and until when. */
  const waitsUntil = new Map<string, number>();
  /** The latest time of a seal, by its account: whoever gets something now gets it after that, whatever clocks say. */
  const latest = new WeakMap<Sealer['digest'], number>();

  /** What it has: as its status tells, or as this process knows where the status does not tell it, or not its time. */
  function hasOf(object: T, account: Contender<T>['account']): Counterpart | undefined {
    const { id, createdAt } = object.status ?? {};
    const known = knownOf(object, account)?.counterpart;
    if (id === undefined) return known;
    return createdAt === undefined && known?.id === id ? known : { id, createdAt };
  }

  function accountOf({ metadata, spec, status }: T): Contender<T>['account'] {
    const { namespace = '' } = metadata;
    const resolved = accounts.resolve(namespace, spec, status?.accountRef);
    if (!('session' in resolved)) return undefined;
    const { accountRef: ref, session: sealer } = resolved;
    return { name: `${ref.kind}/${ref.kind === 'CloudAccount' ? namespace : ''}/${ref.name}`, ref, sealer };
  }

  function contender(object: T): Contender<T> {
    const account = accountOf(object);
    return { object, has: hasOf(object, account), identity: account?.sealer.identity, account };
  }

  const others = (object: T, candidates: readonly T[]) =>
    candidates.filter((one) => one.metadata.uid !== object.metadata.uid && !isSet(one, Annotation.abandon));

  /** What this process has seen it to have, in the account in which it is now. */
  function knownOf({ metadata: { uid } }: T, account: Contender<T>['account']): Claim | undefined {
    const known = claimed.get(uid);
    // Where there is no account now, it may have been one that somebody made for this.
    const isHere = account
      ? account.sealer.identity === known?.sealer.identity || account.name === known?.account
      : known?.account?.startsWith('ClusterCloudAccount/') === true;
    return isHere ? known : undefined;
  }

  function knownClaim(object: T, account: Contender<T>['account'], wanted: Counterpart): Claim | undefined {
    const known = knownOf(object, account);
    return known && isSameCounterpart(known.counterpart, wanted) ? known : undefined;
  }

  /** Since when it has what it has on record, if the operator has sealed that for this very resource. */
  function sealedSince(object: T, sealer: Sealer): number | undefined {
    const since = seals.sealedSince(object, sealer);
    if (since !== undefined && since > (latest.get(sealer.digest) ?? 0)) latest.set(sealer.digest, since);
    return since;
  }

  function evidenceOf(one: Contender<T>, wanted: Counterpart): Evidence {
    const { object, has, account } = one;
    const proof = has === undefined || !isSameCounterpart(has, wanted) ? 0 : isProven(has, wanted) ? 2 : 1;
    return {
      proof,
      isOwn: proof > 0 && !isStatusOfAnother(object),
      sealedSince: proof > 0 && account !== undefined ? sealedSince(object, account.sealer) : undefined,
      isOfCluster: account && account.ref.kind === 'ClusterCloudAccount',
      knownSince: knownClaim(object, account, wanted)?.since,
    };
  }

  /** Whether both have a token of one account, as far as that shows. */
  function isOneAccount(one: Contender<T>, other: Contender<T>, wanted: Counterpart): boolean {
    const { account: a } = one;
    const { account: b } = other;
    if (a?.sealer.service !== b?.sealer.service) return false;
    return [one, other].every(({ object, account }) => {
      const shown = account && listOf(account.sealer, object)?.get(wanted.id);
      return shown !== undefined && isSameCounterpart(shown, wanted);
    });
  }

  /**
   * Who may have had it all along, and can't be told yet, as at the start of a process: its account is not known, or has shown
   * nothing, and its record is sealed, and later than the object's.
   */
  function awaited(object: T, wanted: Counterpart, rivals: readonly Contender<T>[]): T | undefined {
    const own = contender(object);
    const { sealedSince: since, knownSince } = evidenceOf(own, wanted);
    if (knownSince !== undefined) return undefined;
    const began = claimedSince.get(wanted.id) ?? now();
    claimedSince.set(wanted.id, began);
    const hasNone = object.status?.seal === undefined;
    for (const { object: rival, has, account } of rivals) {
      const isRecorded = has !== undefined && isSameCounterpart(has, wanted) && !isStatusOfAnother(rival);
      if (!isRecorded || rival.status?.seal === undefined) continue;
      const sealed = account && sealedSince(rival, account.sealer);
      const isRuledOut =
        account !== undefined &&
        (account.sealer.service !== own.account?.sealer.service ||
          listOf(account.sealer, rival) !== undefined ||
          sealed === undefined ||
          sealed < (since ?? 0));
      if (isRuledOut) continue;
      const until = began + (hasNone ? PATIENCE_MILLISECONDS : STARTING_MILLISECONDS);
      if (now() >= until) continue;
      waitsUntil.set(object.metadata.uid, until);
      return rival;
    }
    return undefined;
  }

  /** Who of them comes before the object. */
  function winnerOf(
    object: T,
    { wanted, identity }: { readonly wanted: Counterpart; readonly identity: string },
    competing: readonly Contender<T>[],
  ): T | undefined {
    const own = contender(object);
    const claimant = { object, ...evidenceOf(own, wanted) };
    const rivals = competing.map((one) => ({
      object: one.object,
      isNear: one.identity === identity || isOneAccount(own, one, wanted),
      ...evidenceOf(one, wanted),
    }));
    // That a record is no copy says nothing where another service may have shown what it is of: anybody may have one.
    const within = rivals.filter(({ isNear }) => isNear);
    const elsewhere = rivals.filter((rival) => !rival.isNear && (!isProofOf(claimant) || isOfTheCluster(rival)));
    // A copy of a status is no proof against the one that it was copied from.
    const counts = ({ isOwn }: Evidence) => isOwn || !claimant.isOwn;
    const nearest = firstOf(
      [claimant, ...within.filter(counts)].map((one) => ({ object: one.object, ranks: ranksOf(one) })),
    );
    if (nearest !== object) return nearest;
    const winner = firstOf(
      [claimant, ...elsewhere.filter(counts)].map((one) => ({ object: one.object, ranks: ranksElsewhere(one) })),
    );
    return winner === object ? undefined : winner;
  }

  /** Remembers what was claimed. Looking its account up costs more than all else, so what was claimed before is not claimed anew. */
  function keep(object: T, wanted: Counterpart, sealer: Sealer): void {
    const { uid } = object.metadata;
    const { id, createdAt } = wanted;
    const before = claimed.get(uid);
    const isBefore = before?.counterpart.id === id && before.counterpart.createdAt === createdAt;
    if (isBefore && before.sealer.digest === sealer.digest) return;
    const { identity, digest } = sealer;
    claimed.set(uid, {
      counterpart: { id, createdAt },
      sealer: { identity, digest },
      account: accountOf(object)?.name,
      ...heldSince(object, wanted, sealer, before),
    });
  }

  /** What it had before it goes on to have: only who gets it from another has it since now, and later than that one. */
  function heldSince(
    object: T,
    wanted: Counterpart,
    sealer: Sealer,
    before: Claim | undefined,
  ): Pick<Claim, 'since' | 'sealed'> {
    if (before && isSameCounterpart(before.counterpart, wanted)) return { since: before.since };
    const { id, createdAt, seal } = object.status ?? {};
    const isRecorded = id !== undefined && isSameCounterpart({ id, createdAt }, wanted);
    const since = isRecorded ? sealedSince(object, sealer) : undefined;
    if (since !== undefined && seal !== undefined) return { since, sealed: { createdAt, seal } };
    const later = Math.max(Math.ceil(now()), (latest.get(sealer.digest) ?? 0) + 1);
    latest.set(sealer.digest, later);
    return { since: later };
  }

  return {
    claim(object, wanted, session, candidates) {
      const { identity } = session;
      const { uid } = object.metadata;
      const rivals = others(object, candidates).map(contender);
      const competing = rivals.filter((one) => competes(one, wanted, identity));
      waitsUntil.delete(uid);
      const winner =
        competing.length > 0
          ? (winnerOf(object, { wanted, identity }, competing) ?? awaited(object, wanted, competing))
          : undefined;
      if (winner) claimed.delete(uid);
      else keep(object, wanted, session);
      return winner;
    },

    holder(object, session, candidates) {
      const { identity } = session;
      // What it had is gone: a claim of that would keep nobody from what it is about to make.
      claimed.delete(object.metadata.uid);
      const rivals = others(object, candidates)
        .map(contender)
        .filter((one) => one.identity === identity);
      // Anybody may write an ID.
      const isFound = ({ object: one, account }: Contender<T>) =>
        knownOf(one, account) !== undefined || sealedSince(one, session) !== undefined;
      const winner = firstOf(
        [contender(object), ...rivals].map((one) => ({ object: one.object, ranks: [Number(isFound(one))] })),
      );
      return winner === object ? undefined : winner;
    },

    isOfAnother(object, id, candidates) {
      const rivals = others(object, candidates);
      const identity = rivals.length > 0 ? contender(object).identity : undefined;
      if (identity === undefined) return false;
      const all = rivals.map(contender);
      // Of another account, one that was made at another time is another.
      const isHadBy = (wanted: Counterpart, isNear: boolean) => {
        const competing = all.filter(
          (one) => (one.identity === identity) === isNear && competes(one, wanted, identity),
        );
        return competing.length > 0 && winnerOf(object, { wanted, identity }, competing) !== undefined;
      };
      return isHadBy({ id }, true) || isHadBy({ id, createdAt: object.status?.createdAt }, false);
    },

    has: (object, wanted) =>
      claimed.has(object.metadata.uid) && knownClaim(object, accountOf(object), wanted) !== undefined,

    of: (uid) => claimed.get(uid)?.counterpart,

    waits({ metadata: { uid } }) {
      const until = waitsUntil.get(uid);
      return until === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((until - now()) / 1000)) };
    },

    seal(record) {
      const { uid = '', id = '', createdAt } = record;
      const claim = claimed.get(uid);
      if (!claim || !isSameCounterpart({ id, createdAt }, claim.counterpart)) return undefined;
      if (!claim.sealed || claim.sealed.createdAt !== createdAt) {
        claim.sealed = { createdAt, seal: sealOf(kind, claim.sealer, record, claim.since) };
      }
      return claim.sealed.seal;
    },

    drop(uid) {
      claimed.delete(uid);
      waitsUntil.delete(uid);
    },
  };
}
