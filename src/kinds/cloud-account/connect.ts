import type { Clock } from '../../clock.ts';
import { canonicalBaseURL } from '../../cloud/http/tls.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import { createLooks } from '../../reconcile/looks.ts';
import type { ObjectKey, Slot } from '../../reconcile/reconciler.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import { countedResources } from './in-use.ts';
import type { Losses } from './losses.ts';
import { holdPaused, type Pauses } from './pauses.ts';
import { type AccountHold, AccountReason } from './reasons.ts';
import type { AccountRegistry, OpenSession } from './registry.ts';
import type { Account } from './schema.ts';
import { type AccountSettings, readSettings } from './settings.ts';
import { holdTrying } from './tries.ts';
import { accountFailure } from './trouble.ts';
import type { AccountUsers } from './users.ts';

/** Who would wait for longer than this until a request may go, looks again later. */
const LONGEST_WAIT_SECONDS = 5;
/** The credentials are verified again after this long without another answer of the service. Milliseconds. */
export const VERIFY_MILLISECONDS = 10 * 60_000;

/** What connecting to accounts needs. */
export interface ConnectorOptions {
  readonly secrets: SecretReader;
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  readonly losses: Losses;
  readonly pauses: Pick<Pauses, 'begin' | 'resumed'>;
  readonly clock: Clock;
  readonly allowedHosts: readonly string[] | undefined;
  /** The service accepted credentials of the account that it had not accepted before. */
  readonly onVerified: (account: ObjectKey) => void;
}

/** Opens the sessions of accounts, and verifies their credentials. */
export interface Connector {
  /** What stands in the way of using the account; undefined when the service accepted its credentials. */
  connect(key: ObjectKey, account: Account, signal: AbortSignal, slot: Slot): Promise<AccountHold | undefined>;
  /**
   * Why the account cannot be used, and what its session of before goes on with: a Secret may go before what needs it, as when a
   * namespace is deleted.
   */
  keptInMemory(key: ObjectKey, hold: AccountHold): AccountHold;
  /** Milliseconds until a look that a person asked for, and that is not taken yet, may be. */
  untilLook(key: ObjectKey, account: Account): number;
  forget(key: ObjectKey): void;
}

export function createConnector(options: ConnectorOptions): Connector {
  const { registry, users, losses, clock } = options;
  const verifiedAt = new WeakMap<OpenSession, number>();
  const asked = new Map<ObjectKey, string | undefined>();
  const looks = createLooks(clock);
  /** By what its session was opened last; see {@link placeOf}. */
  const opened = new Map<ObjectKey, string>();
  /** Accounts that were paused at the last pass. */
  const paused = new Set<ObjectKey>();

  async function connect(
    key: ObjectKey,
    account: Account,
    signal: AbortSignal,
    slot: Slot,
  ): Promise<AccountHold | undefined> {
    const by = options.pauses.begin(key);
    if (by !== undefined) {
      paused.add(key);
      return holdPaused(by, account);
    }
    const read = await readSettings(account, options.secrets, options.allowedHosts).catch((error: unknown) => {
      closeOther(key, account);
      // What it may read by now may be another's: what it had before the pause is not gone on with.
      if (paused.delete(key)) {
        registry.close(key);
        options.pauses.resumed(key);
      }
      throw error;
    });
    if ('hold' in read) {
      closeOther(key, account);
      options.pauses.resumed(key);
      return keptInMemory(key, read.hold);
    }
    const session = open(key, account, read.settings);
    // Only now: what uses it goes on with what was set while it was paused.
    options.pauses.resumed(key);
    const ask = account.metadata.annotations?.[Annotation.reconcileAt];
    const isAsked = ask !== asked.get(key) && looks.wait(key) === 0;
    if (isAsked) {
      asked.set(key, ask);
      looks.took(key);
      // Somebody says that it is worth another try, as after the token was given a permission.
      session.circuit.reset();
    }
    const answered = Math.max(
      verifiedAt.get(session) ?? Number.NEGATIVE_INFINITY,
      session.sims.snapshot()?.startedAt ?? Number.NEGATIVE_INFINITY,
    );
    const trouble = session.sims.lastError();
    const isResumed = paused.delete(key);
    if (session.verified && !session.circuit.isOpen() && !isAsked && !isResumed) {
      if (trouble !== undefined && !(trouble instanceof DecisionOutdatedError)) return accountFailure(trouble).hold;
      const isDue = clock.monotonic() - answered >= VERIFY_MILLISECONDS;
      // A pass that waits for a closed API records no hour of web acceleration, and no certificate goes without that record.
      if (!isDue || session.limiter.outlook('cloud', 'verify').secondsFor(1) > LONGEST_WAIT_SECONDS)
        return losses.ofAccount(key, session);
    }
    // What is refused without a request needs no leave, and goes on telling why.
    const wait = session.verified || session.circuit.isShut() ? 0 : registry.tryWait(key);
    if (wait > 0) return holdTrying(wait);
    let isSent = false;
    try {
      const call = { lane: 'verify', signal, onWait: slot.wait, onSent: () => (isSent = true) } as const;
      // Whoever has the secret goes before those who may only name the token.
      const turn = { urgency: 'creation', began: slot.number } as const;
      await session.client.sims.list({ from: 0, count: 1 }, session.verified ? call : { ...call, turn });
    } catch (error) {
      if (isSent && !session.verified) registry.tryRefused(key);
      throw error;
    }
    verifiedAt.set(session, clock.monotonic());
    session.answered = true;
    if (!session.verified) {
      if (account.status?.identity === session.digest(session.identity)) session.onRecord = true;
      else {
        const doubt = await compared(key, session, signal, slot);
        if (doubt) return doubt;
      }
      options.onVerified(key);
    }
    registry.accept(key);
    session.sims.start();
    return losses.ofAccount(key, session);
  }

  function open(key: ObjectKey, account: Account, settings: AccountSettings): OpenSession {
    try {
      const session = registry.open(key, settings);
      opened.set(key, placeOf(account));
      return session;
    } catch (error) {
      // What can't be opened is meant for elsewhere all the same.
      closeOther(key, account);
      throw error;
    }
  }

  /** What is meant for another account, or another service, is not sent to the one of before. */
  function closeOther(key: ObjectKey, account: Account): void {
    if (registry.get(key) && opened.get(key) !== placeOf(account)) registry.close(key);
  }

  /** The lists it waits for may take minutes; other accounts have the worker meanwhile. */
  async function compared(key: ObjectKey, session: OpenSession, signal: AbortSignal, slot: Slot) {
    const over = slot.wait();
    try {
      return await losses.compare(key, session, signal);
    } finally {
      over();
    }
  }

  function keptInMemory(key: ObjectKey, hold: AccountHold): AccountHold {
    const session = registry.get(key);
    const needed = users.inNeed(key).length;
    if (!session || needed === 0) return hold;
    const meanwhile = session.circuit.isOpen()
      ? `The service refused those seen last, and nothing is sent for what uses the account (${countedResources(needed)}).`
      : `Until then the credentials last seen are used for what still needs them (${countedResources(needed)}).`;
    const message = `${hold.message} ${meanwhile}`;
    if (hold.reason !== AccountReason.SecretNotFound) return { ...hold, message };
    return { state: 'Stalled', reason: AccountReason.CredentialsGone, message };
  }

  return {
    connect,
    keptInMemory,
    untilLook(key, account) {
      const isWaiting = account.metadata.annotations?.[Annotation.reconcileAt] !== asked.get(key);
      return isWaiting ? looks.wait(key) : Number.POSITIVE_INFINITY;
    },
    forget(key) {
      asked.delete(key);
      opened.delete(key);
      paused.delete(key);
      looks.drop(key);
    },
  };
}

/** What an account says of where it is: at which service, and whose credentials it uses. */
function placeOf({ spec }: Account): string {
  const { baseURL, credentialsSecretRef } = spec;
  return JSON.stringify([
    canonicalBaseURL(baseURL),
    credentialsSecretRef.name,
    'secretNamespace' in spec ? spec.secretNamespace : null,
  ]);
}
