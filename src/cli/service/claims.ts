import type { Clock } from '../../clock.ts';
import { ALLOTMENT_VALID_MILLISECONDS, allotmentOf } from '../../kinds/cloud-account/allotments.ts';
import { type Budget, isSignedRecord, type Signer } from '../../kinds/cloud-account/record.ts';
import type { Account } from '../../kinds/cloud-account/schema.ts';
import { MOST_ALLOTMENTS } from '../../kinds/cloud-account/status-schema.ts';
import { isConflict } from '../../kubernetes/errors.ts';
import { ClusterError, clusterError } from '../errors.ts';
import { readPresence } from '../presence.ts';
import type { Session } from '../session.ts';
import { type FoundAccount, homeOf, listAccounts, readAgain } from './account.ts';
import { HourRefused } from './errors.ts';
import { askedOf, type Hour, hourOf, type Keyed } from './hour.ts';

/** Requests that may be sent, because whoever else sends any counts them. */
export interface Claim {
  readonly requests: number;
  /** Whether their time is not over. Afterwards they are lost, sent or not. */
  isOpen(): boolean;
}

/** Asks for requests of an account's hour. */
export interface Claims {
  /** What is on record now. Throws `ClusterError`. */
  hour(): Promise<Hour>;
  /**
   * Resolves when the operator counts so many requests, or when none runs and what is on record leaves room for them.
   * @throws HourRefused, ClusterError
   */
  claim(requests: number): Promise<Claim>;
}

interface ClaimOptions {
  readonly session: Session;
  readonly found: FoundAccount;
  readonly signer: Signer;
  readonly limits: { readonly webAccelRequestsPerHour: number };
  readonly clock: Clock;
  readonly random: () => number;
}

/** What was asked for, and what was known and on record at that moment. */
interface Asked {
  readonly id: string;
  readonly hour: Hour;
  readonly record: Budget | undefined;
}

/** The operator is given so long to count what was asked for, and one that does not seem to run so long. Milliseconds. */
const PATIENCE_MILLISECONDS = 20_000;
const ABSENT_PATIENCE_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 250;
/** So many times the request is written while others write the status, too. */
const TRIES = 6;
/** Before its end, so that what is granted is sent in time. Milliseconds. */
const MARGIN_MILLISECONDS = 30_000;

/**
 * The claim stands in the account's status before anything is sent, so a command that is killed has spent what it asked
 * for, and nothing is sent that nobody counts.
 */
export function createClaims(options: ClaimOptions): Claims {
  const { session, found, signer, limits, clock, random } = options;
  const { time } = session;
  const { kind, name } = found.ref;

  const judge = (current: FoundAccount, others: readonly Keyed[] = []) =>
    hourOf(current, others, signer, limits, time.latest());
  /** By the cluster's clock: by one that is ahead of it, every Lease would be old. */
  const presence = () => readPresence(session, [homeOf(found)], time.latest());

  /** With nobody there who counts, what any account of the token has on record. */
  async function recordsOfOthers(): Promise<Keyed[]> {
    try {
      return (await listAccounts(session)).filter(({ key }) => key !== found.key);
    } catch (error) {
      if (error instanceof ClusterError) throw unseen(kind, name, error);
      throw error;
    }
  }

  async function claim(requests: number): Promise<Claim> {
    const { state } = await presence();
    const begun = { monotonic: clock.monotonic(), wall: clock.now() };
    const others = state === 'NotRunning' ? await recordsOfOthers() : undefined;
    const asked = await ask(requests, others);
    const end = await untilCounted(asked, state);
    if (end === 'counted') {
      const after = judge(await readAgain(session, found));
      if (after.spent === undefined || after.closedUntil !== undefined || after.spent > after.limit - after.kept)
        throw noRoom(after, requests, name);
    } else if (end === 'gone' || state !== 'NotRunning' || (await presence()).state !== 'NotRunning') {
      throw notCounted(kind, name);
    } else if (asked.hour.spent === undefined) throw unknown(asked.hour, kind, name);
    return {
      requests,
      isOpen() {
        // The monotonic clock stands still while a machine is suspended.
        const age = Math.max(clock.monotonic() - begun.monotonic, clock.now() - begun.wall);
        return age < ALLOTMENT_VALID_MILLISECONDS - MARGIN_MILLISECONDS;
      },
    };
  }

  /** Puts it where the operator finds it; refused where what is on record leaves no room. */
  async function ask(requests: number, known: readonly Keyed[] | undefined): Promise<Asked> {
    const id = Math.floor((1 + random()) * 2 ** 52).toString(36);
    for (let tries = 1; ; tries++) {
      const current = await readAgain(session, found);
      const hour = judge(current, known);
      if (hour.spent === undefined ? known !== undefined : hour.room < requests) {
        throw hour.spent === undefined ? unknown(hour, kind, name) : noRoom(hour, requests, name);
      }
      const others = askedOf(current.account, time.latest());
      if (others.length >= MOST_ALLOTMENTS) throw tooMany(kind, name);
      const { uid, resourceVersion, namespace } = current.account.metadata;
      const allotments = [...others, allotmentOf(found.key, signer, { id, requests, at: time.latest() })];
      const patch = { metadata: { uid, resourceVersion }, status: { allotments } };
      try {
        const { resource } = found;
        const written = await session.client.mergePatch<Account>(resource, namespace, name, patch, {
          subresource: 'status',
          retry: false,
        });
        if (!isListed(written, id)) throw tooOld();
        return { id, hour, record: written.status?.budget };
      } catch (error) {
        if (isConflict(error) && tries < TRIES) continue;
        const { resource } = found;
        const attempt = {
          verb: 'patch',
          resource,
          subresource: 'status',
          namespace,
          name,
          server: session.server,
        } as const;
        throw clusterError(error, attempt);
      }
    }
  }

  /**
   * The operator takes it from the list in the same write that puts it on record, and names it there. Others can do the one
   * alone, and have the operator write a record for another reason, as of what they put on the list themselves.
   */
  async function untilCounted({ id, record }: Asked, state: string): Promise<'counted' | 'gone' | 'listed'> {
    const patience = state === 'NotRunning' ? ABSENT_PATIENCE_MILLISECONDS : PATIENCE_MILLISECONDS;
    const deadline = clock.monotonic() + patience;
    let isThere = true;
    do {
      await clock.sleep(POLL_MILLISECONDS);
      const { account } = await readAgain(session, found);
      const { budget } = account.status ?? {};
      isThere = isListed(account, id);
      const isNamed = budget?.counted?.includes(id) === true && isSignedRecord(found.key, signer, budget);
      if (!isThere && isNamed && isAfter(budget, record)) return 'counted';
    } while (clock.monotonic() < deadline);
    return isThere ? 'listed' : 'gone';
  }

  return { claim, hour: async () => judge(await readAgain(session, found)) };
}

/** An older one may have been put back. */
function isAfter(budget: Budget, before: Budget | undefined): boolean {
  if (!before) return true;
  return budget.identity !== before.identity && Date.parse(budget.recordedAt) >= Date.parse(before.recordedAt);
}

const isListed = ({ status }: Account, id: string) => status?.allotments?.some((one) => one.id === id) ?? false;

const when = (at: number | undefined) => (at === undefined ? 'later' : `after ${new Date(at).toISOString()}`);

function noRoom(hour: Hour, requests: number, name: string): HourRefused {
  const { limit, kept, spent = limit, room, moreAt, closedUntil } = hour;
  if (closedUntil !== undefined) {
    return new HourRefused(
      `the service has said that it wants no web acceleration requests of the account ${name} for now`,
      `Try again ${when(closedUntil)}.`,
    );
  }
  return new HourRefused(
    `the account ${name} has no room for ${requests} more web acceleration ${requests === 1 ? 'request' : 'requests'}: ${spent} of the ${limit} of an hour are used or spoken for, and ${kept} are kept for changes`,
    room > 0 ? `Ask for ${room} at most, or try again ${when(moreAt)}.` : `Try again ${when(moreAt)}.`,
  );
}

function unknown({ moreAt }: Hour, kind: string, name: string): HourRefused {
  return new HourRefused(
    `nothing is on record of what the ${kind} ${name} has used of its hour of web acceleration, so it may be all of it`,
    `Start the operator, which counts it; or try again ${when(moreAt)}, when an hour has passed since the account was made.`,
  );
}

function unseen(kind: string, name: string, cause: ClusterError): HourRefused {
  return new HourRefused(
    `no operator runs that counts what is sent for the ${kind} ${name}, and what others with its token have used can't be seen: ${cause.message}`,
    'Start the operator, or have somebody do this who may list the accounts of all namespaces.',
    { cause },
  );
}

function notCounted(kind: string, name: string): HourRefused {
  return new HourRefused(
    `the operator did not count the requests that were to be sent for the ${kind} ${name}, so none was sent`,
    '`edgeline status -A` says whether it runs, and what keeps it from using the account; an operator that is older than this command does not count them: update it.',
  );
}

function tooMany(kind: string, name: string): HourRefused {
  return new HourRefused(
    `${MOST_ALLOTMENTS} other commands wait for the hour of the ${kind} ${name}`,
    'Try again in a minute; if it stays so, `edgeline status -A` says whether the operator runs.',
  );
}

function tooOld(): HourRefused {
  return new HourRefused(
    'the CustomResourceDefinitions in the cluster are older than this command: requests cannot be asked for',
    'Apply those of this version (docs/upgrade.md).',
  );
}
