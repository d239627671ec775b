import type { Gateway } from '../../cloud/gateway/types.ts';
import { createAnswerPool } from '../../cloud/http/answer-pool.ts';
import { createBlame } from '../../cloud/http/blame.ts';
import { createCircuit } from '../../cloud/http/circuit.ts';
import { canonicalBaseURL } from '../../cloud/http/tls.ts';
import { createLimiter, type Limiter } from '../../cloud/limiter/limiter.ts';
import { createListMemory } from '../../cloud/list/memory.ts';
import type { ListChange } from '../../cloud/list/snapshot.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { Site } from '../../cloud/site/types.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import { parseKey } from '../../reconcile/reconciler.ts';
import { type AccountClientOptions, createAccountClient } from './account-client.ts';
import { createChanges } from './changes.ts';
import { createDeletions } from './deletions.ts';
import { createHours } from './hours.ts';
import { createCloudLists, type PolledList } from './lists.ts';
import {
  credentialsOf,
  digesterOf,
  fingerprintOf,
  identityOf,
  limitsOf,
  listingClient,
  type Member,
  type OpenSession,
  partyOf,
} from './members.ts';
import { createRecorder } from './recorder.ts';
import type { AccountSettings } from './settings.ts';
import { type Shared, verifiedOf } from './shared.ts';
import { createTries, type Tries } from './tries.ts';

/** A replaced client's requests under way may still end. Milliseconds. */
const GRACE_MILLISECONDS = 60_000;

export interface RegistryOptions extends Omit<AccountClientOptions, 'pool'> {
  /** Seconds between two polls of the list of SIMs. */
  readonly simPollSeconds: number;
  /** Seconds between two polls of the list of sites. */
  readonly sitePollSeconds: number;
  /** What the lists of all accounts may take of the memory, as they come; bytes. */
  readonly listBytes: number;
  /** Requests wait until the budget of these accounts (keys) is on record. */
  readonly onRecordWanted: (accounts: string[]) => void;
  /** The statuses of these accounts (keys) are to say what is new: what is used of the hour, or that the service wants no requests. */
  readonly onUntold: (accounts: string[]) => void;
}

export type { OpenSession };

/** How an account is at this moment. */
export interface LiveAccount {
  readonly budget: ReturnType<Limiter['budget']>;
  /** Cloud requests a second: that go now at most, and that the limits allow. */
  readonly rate: {
    readonly allowed: number;
    readonly limit: number;
    /** Until when the service wants none; epoch milliseconds. */
    readonly closedUntil: number | undefined;
  };
  /** Requests that wait, by API and lane. */
  readonly waiting: ReturnType<Limiter['waiting']>;
  /** Nothing is sent: the service refused the credentials. */
  readonly refused: boolean;
  /** The lists that are polled for it. */
  readonly polled: readonly PolledList[];
}

/** Told of each list of an identity, by ID, whether or not it differs from the one before. */
export interface ListListener {
  sims?(identity: string, items: ReadonlyMap<string, SimItem>): void;
  gateways?(identity: string, items: ReadonlyMap<string, Gateway>): void;
  sites?(identity: string, items: ReadonlyMap<string, Site>): void;
}

/** Keeps the connections to the service: one per account resource, with what belongs together shared. */
export function createAccountRegistry(options: RegistryOptions) {
  const { clock, random } = options;
  const shared = new Map<string, Shared>();
  const byAccount = new Map<string, Shared>();
  const hours = createHours(clock);
  const simListeners: ((identity: string, iccid: string) => void)[] = [];
  const gatewayListeners: ((identity: string, id: string) => void)[] = [];
  const siteListeners: ((identity: string, change: ListChange<Site>) => void)[] = [];
  const listListeners: ListListener[] = [];

  const pool = createAnswerPool();
  const memory = createListMemory(options.listBytes);

  /** Apart from what else is made of an account: what it closes over stays as long as its hour is kept. */
  function makeLimiter(identity: string, limits: AccountSettings['limits']): Limiter {
    return createLimiter({
      clock,
      limits,
      onRecordWanted: () => shared.get(identity)?.recorder.wanted(),
      onClosed() {
        const now = shared.get(identity);
        if (now) options.onUntold(verifiedOf(now));
      },
    });
  }

  function share(identity: string, settings: AccountSettings): Shared {
    const limiter = hours.takeBack(identity) ?? makeLimiter(identity, settings.limits);
    const deletions = createDeletions(() => clock.monotonic());
    const lists = createCloudLists({
      client: () => listingClient(entry.accounts, (account) => options.pausedBy(account) !== undefined),
      clock,
      random,
      memory,
      party: () => partyOf(entry.accounts),
      wasDeleted: deletions.has,
      pollSeconds: options.simPollSeconds,
      requestsPerSecond: limiter.rate,
      sitePollSeconds: options.sitePollSeconds,
      hour: limiter,
      onSim: (iccid) => simListeners.forEach((listener) => listener(identity, iccid)),
      onGateway: (id) => gatewayListeners.forEach((listener) => listener(identity, id)),
      onSite: (change) => siteListeners.forEach((listener) => listener(identity, change)),
      onList: {
        sims: (items) => listListeners.forEach((listener) => listener.sims?.(identity, items)),
        gateways: (items) => listListeners.forEach((listener) => listener.gateways?.(identity, items)),
        sites: (items) => listListeners.forEach((listener) => listener.sites?.(identity, items)),
      },
      onHealth: () => options.onHealth([...entry.accounts.keys()]),
    });
    const entry: Shared = {
      identity,
      limiter,
      blame: createBlame(clock),
      lists,
      changes: createChanges(() => clock.monotonic()),
      deletions,
      circuits: new Map(),
      accounts: new Map(),
      tries: createTries(clock),
      recorder: createRecorder({ ...options, accounts: () => verifiedOf(entry) }),
    };
    return entry;
  }

  /** Ends what no account uses any more, and has the limits be those of the accounts that are left. */
  function settle(entry: Shared, left: Member | undefined): void {
    const members = [...entry.accounts.values()];
    // What it has put on record counts for nobody after a crash: others have to do so before anything more is sent.
    if (left?.session.verified) entry.limiter.forgetRecord();
    if (left && members.every(({ session }) => session.client !== left.session.client)) {
      void clock.sleep(GRACE_MILLISECONDS).then(() => left.session.client.close());
    }
    if (members.length === 0) {
      entry.lists.stop();
      shared.delete(entry.identity);
      // Nobody has a record made for what still waits: it would wait forever.
      entry.limiter.end(new DecisionOutdatedError('the account was changed'));
      hours.keep(entry.identity, entry.limiter);
      return;
    }
    for (const credentials of entry.circuits.keys()) {
      if (members.every((member) => member.credentials !== credentials)) entry.circuits.delete(credentials);
    }
    entry.limiter.setLimits(limitsOf(entry.accounts));
  }

  function close(account: string): void {
    const entry = byAccount.get(account);
    const member = entry?.accounts.get(account);
    byAccount.delete(account);
    entry?.accounts.delete(account);
    entry?.tries.drop(account);
    if (!entry || !member) return;
    hours.left(entry.limiter, parseKey(account).namespace, member.session.verified);
    settle(entry, member);
  }

  return {
    get: (account: string): OpenSession | undefined => byAccount.get(account)?.accounts.get(account)?.session,

    /** Calls back when a SIM differs from what the last list had, was not there, or is gone. */
    onSim: (listener: (identity: string, iccid: string) => void): void => void simListeners.push(listener),

    /** Calls back with its ID when a gateway differs from what the last list had, was not there, or is gone. */
    onGateway: (listener: (identity: string, id: string) => void): void => void gatewayListeners.push(listener),

    /** Calls back when a site differs from what the last list had, was not there, or is gone. */
    onSite: (listener: (identity: string, change: ListChange<Site>) => void): void => void siteListeners.push(listener),

    /** Calls back with each list. */
    onList: (listener: ListListener): void => void listListeners.push(listener),

    /** The accounts (keys) with a session, with the session and the lists that are polled for them. */
    *sessions(): Generator<{ account: string; session: OpenSession; polled: readonly PolledList[] }> {
      for (const [account, { accounts, lists }] of byAccount) {
        const session = accounts.get(account)?.session;
        if (session) yield { account, session, polled: lists.polled() };
      }
    },

    /** What this process knows of an account whose credentials the service took: anybody may name the token of another. */
    liveOf(account: string): LiveAccount | undefined {
      const entry = byAccount.get(account);
      const session = entry?.accounts.get(account)?.session;
      if (!entry || !session?.verified) return undefined;
      const { limiter, circuit } = session;
      return {
        budget: limiter.budget(),
        rate: {
          allowed: limiter.rate(),
          limit: limiter.limits().cloudRequestsPerSecond,
          closedUntil: limiter.closedUntil('cloud'),
        },
        waiting: limiter.waiting(),
        refused: circuit.isOpen(),
        polled: entry.lists.polled(),
      };
    },

    /** The accounts (keys) that are one at the service. */
    accountsOf: (identity: string): string[] => [...(shared.get(identity)?.accounts.keys() ?? [])],

    /**
     * Opens the account's session, or gives the one there is when nothing changed.
     * @throws ConfigurationError when the settings can't be used.
     */
    open(account: string, settings: AccountSettings): OpenSession {
      // Those that came and went with the last of many would stay until another does; this is called with each pass.
      hours.prune();
      const identity = identityOf(settings);
      const fingerprint = fingerprintOf(settings);
      const before = byAccount.get(account);
      const known = before?.accounts.get(account);
      if (before?.identity === identity && known?.fingerprint === fingerprint) return known.session;
      const entry = shared.get(identity) ?? share(identity, settings);
      const credentials = credentialsOf(settings);
      const isNew = !entry.circuits.has(credentials);
      const circuit = entry.circuits.get(credentials) ?? createCircuit({ clock });
      const twin = [...entry.accounts.values()].find((other) => other.fingerprint === fingerprint);
      const client = twin?.session.client ?? createAccountClient(entry, settings, circuit, { ...options, pool });
      // From here on nothing throws: what was open stays open until the settings turned out to be of use.
      if (before && before !== entry) close(account);
      shared.set(identity, entry);
      entry.circuits.set(credentials, circuit);
      if (known && !isNew) circuit.reset();
      const digest = digesterOf(settings);
      // Each report of an account asks for it several times.
      const digestOfIdentity = digest(identity);
      const session: OpenSession = {
        identity,
        service: canonicalBaseURL(settings.baseURL),
        client,
        dialect: settings.dialect,
        limiter: entry.limiter,
        circuit,
        sims: entry.lists.sims,
        gateways: entry.lists.gateways,
        isZone: entry.lists.isZone,
        sites: entry.lists.sites,
        changes: entry.changes,
        wasDeleted: entry.deletions.has,
        hourFor: entry.limiter.hourFor,
        answered: false,
        verified: false,
        onRecord: false,
        digest: (value) => (value === identity ? digestOfIdentity : digest(value)),
      };
      entry.accounts.set(account, { fingerprint, credentials, limits: settings.limits, session });
      byAccount.set(account, entry);
      settle(entry, before === entry ? known : undefined);
      return session;
    },

    /**
     * How long an account that is not verified has to wait before it tries its credentials; milliseconds. Where others have the token's secret the tries are
     * few, because the service takes them, right or wrong, out of the requests of the token.
     */
    tryWait(account: string): number {
      return boundOf(byAccount.get(account))?.wait(account) ?? 0;
    },

    /** See {@link Recorder}. */
    isKeeper: (account: string): boolean => byAccount.get(account)?.recorder.isKeeper(account) ?? false,

    /** The hour is on record in the account's status, as it is now. */
    recorded: (account: string): void => byAccount.get(account)?.recorder.recorded(account),

    /** What an account tried was refused. */
    tryRefused: (account: string): void => boundOf(byAccount.get(account))?.refused(),

    /** The service accepted the account's credentials: others may use the session, and its limits count. */
    accept(account: string): void {
      const entry = byAccount.get(account);
      const member = entry?.accounts.get(account);
      if (!entry || !member || member.session.verified) return;
      member.session.verified = true;
      settle(entry, undefined);
    },

    close,

    /** Closes everything, so that nothing is sent any more; for the end of the process. What was sent stays known. */
    async stop(): Promise<void> {
      const entries = [...shared.values()];
      for (const entry of entries) entry.lists.stop();
      const clients = entries.flatMap((entry) => [...entry.accounts.values()].map(({ session }) => session.client));
      await Promise.all([...new Set(clients)].map((client) => client.close()));
    },
  };
}

/** See {@link createAccountRegistry}. */
export type AccountRegistry = ReturnType<typeof createAccountRegistry>;

/** The tries of an identity, where others have the token's secret. */
function boundOf(entry: Shared | undefined): Tries | undefined {
  return [...(entry?.accounts.values() ?? [])].some(({ session }) => session.verified) ? entry?.tries : undefined;
}
