import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type Circuit, createCircuit } from '../../cloud/circuit.ts';
import { type CloudClient, type CloudClientOptions, createCloudClient } from '../../cloud/client.ts';
import { apis } from '../../cloud/lanes.ts';
import { createLimiter, type Limiter, type RestoredBudget } from '../../cloud/limiter.ts';
import type { ListChange } from '../../cloud/list-informer.ts';
import type { Site } from '../../cloud/site-types.ts';
import type { AccountSession } from '../../reconcile/account.ts';
import { type CloudLists, createCloudLists } from './lists.ts';
import type { AccountSettings } from './settings.ts';

/** A replaced client's requests under way may still end. Milliseconds. */
const GRACE = 60_000;

/** What accounts that are one at the service share. */
interface Shared {
  readonly identity: string;
  readonly limiter: Limiter;
  readonly circuit: Circuit;
  readonly lists: CloudLists;
  client: CloudClient;
  readonly accounts: Map<string, { readonly fingerprint: string; readonly session: OpenSession }>;
}

/** A session, with what only the account's own reconciler looks at. */
export interface OpenSession extends AccountSession {
  readonly limiter: Limiter;
  readonly circuit: Circuit;
  /** The service has accepted the credentials since the session was opened; until then nothing else uses it. */
  verified: boolean;
}

export interface RegistryOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly userAgent: string;
  readonly beforeWrite: () => void;
  readonly onRequest: NonNullable<CloudClientOptions['onRequest']>;
  /** Seconds between two polls of the list of SIMs. */
  readonly simPollSeconds: number;
  /** Seconds between two polls of the list of sites. */
  readonly sitePollSeconds: number;
  /** The service stopped or began to answer these accounts (keys) as it should. */
  readonly onHealth: (accounts: string[]) => void;
  /** Requests wait until the budget of these accounts (keys) is on record. */
  readonly onRecordWanted: (accounts: string[]) => void;
}

/** Keeps the connections to the service: one per account resource, with what belongs together shared. */
export function createAccountRegistry(options: RegistryOptions) {
  const { clock, random } = options;
  const shared = new Map<string, Shared>();
  const byAccount = new Map<string, Shared>();
  const simListeners: ((identity: string, iccid: string) => void)[] = [];
  const gatewayListeners: ((id: string) => void)[] = [];
  const siteListeners: ((identity: string, change: ListChange<Site>) => void)[] = [];

  function clientOf(settings: AccountSettings, limiter: Limiter, circuit: Circuit, identity: string): CloudClient {
    return createCloudClient({
      baseURL: settings.baseURL,
      accessToken: settings.accessToken.reveal(),
      accessTokenSecret: settings.accessTokenSecret.reveal(),
      authentication: settings.authentication,
      ca: settings.ca,
      dialect: settings.dialect,
      limiter,
      circuit,
      clock,
      random,
      userAgent: options.userAgent,
      beforeWrite: options.beforeWrite,
      onRequest: (event) => {
        options.onRequest(event);
        if (event.code === '401' || event.code === '403')
          options.onHealth([...(shared.get(identity)?.accounts.keys() ?? [])]);
      },
    });
  }

  function share(identity: string, settings: AccountSettings, restored: RestoredBudget | undefined): Shared {
    const known = shared.get(identity);
    if (known) return known;
    const limiter = createLimiter({
      clock,
      limits: settings.limits,
      ...(restored && { restored }),
      onRecordWanted: () => options.onRecordWanted([...entry.accounts.keys()]),
    });
    const circuit = createCircuit({ clock });
    const client = clientOf(settings, limiter, circuit, identity);
    const lists = createCloudLists({
      client: () => entry.client,
      clock,
      random,
      pollSeconds: options.simPollSeconds,
      sitePollSeconds: options.sitePollSeconds,
      onSim: (iccid) => simListeners.forEach((listener) => listener(identity, iccid)),
      onGateway: (id) => gatewayListeners.forEach((listener) => listener(id)),
      onSite: (change) => siteListeners.forEach((listener) => listener(identity, change)),
      onHealth: () => options.onHealth([...entry.accounts.keys()]),
    });
    const entry: Shared = { identity, limiter, circuit, lists, client, accounts: new Map() };
    shared.set(identity, entry);
    return entry;
  }

  function retireUnused(entry: Shared, client: CloudClient): void {
    const used = [...entry.accounts.values()].some((account) => account.session.client === client);
    if (!used && entry.client !== client) void clock.sleep(GRACE).then(() => client.close());
  }

  function close(account: string): void {
    const entry = byAccount.get(account);
    const session = entry?.accounts.get(account)?.session;
    byAccount.delete(account);
    entry?.accounts.delete(account);
    if (!entry || !session) return;
    const [other] = entry.accounts.values();
    if (other) {
      entry.client = other.session.client;
      retireUnused(entry, session.client);
      return;
    }
    entry.lists.stop();
    shared.delete(entry.identity);
    void clock.sleep(GRACE).then(() => entry.client.close());
  }

  return {
    get: (account: string): OpenSession | undefined => byAccount.get(account)?.accounts.get(account)?.session,

    /** Calls back when a SIM differs from what the last list had, was not there, or is gone. */
    onSim: (listener: (identity: string, iccid: string) => void): void => void simListeners.push(listener),

    /** Calls back with its ID when a gateway differs from what the last list had, was not there, or is gone. */
    onGateway: (listener: (id: string) => void): void => void gatewayListeners.push(listener),

    /** Calls back when a site differs from what the last list had, was not there, or is gone. */
    onSite: (listener: (identity: string, change: ListChange<Site>) => void): void => void siteListeners.push(listener),

    /** What is left of each account's web acceleration budget. */
    *budgets(): Generator<{ account: string; api: string; remaining: number }> {
      for (const [account, { limiter }] of byAccount) {
        const { used, limit } = limiter.budget();
        yield { account, api: 'webaccel', remaining: limit - used };
      }
    },

    /** Which API of which account waits because the service refused its credentials. */
    *circuits(): Generator<{ account: string; api: string; open: boolean }> {
      for (const [account, { circuit }] of byAccount) {
        for (const api of apis) yield { account, api, open: circuit.isOpen() || circuit.isOpen(api) };
      }
    },

    /** The accounts (keys) that are one at the service. */
    accountsOf: (identity: string): string[] => [...(shared.get(identity)?.accounts.keys() ?? [])],

    /**
     * Opens the account's session, or gives the one there is when nothing changed.
     * @throws ConfigurationError when the settings can't be used.
     */
    open(account: string, settings: AccountSettings, restored: RestoredBudget | undefined): OpenSession {
      const identity = digestOf(`${settings.baseURL}\n${settings.accessToken.reveal()}`);
      const fingerprint = fingerprintOf(settings);
      const before = byAccount.get(account);
      const known = before?.accounts.get(account);
      if (before?.identity === identity && known?.fingerprint === fingerprint) return known.session;
      if (before && before.identity !== identity) close(account);
      const isNew = !shared.has(identity);
      const entry = share(identity, settings, restored);
      let { client } = entry;
      if (!isNew) {
        const twin = [...entry.accounts.values()].find((other) => other.fingerprint === fingerprint);
        client = twin?.session.client ?? clientOf(settings, entry.limiter, entry.circuit, identity);
        if (known && entry.client === known.session.client) entry.client = client;
        if (!known && restored) entry.limiter.restore(restored);
        entry.limiter.setLimits(settings.limits);
        entry.circuit.reset();
      }
      const key = Buffer.from(
        hkdfSync('sha256', settings.accessTokenSecret.reveal(), 'edgeline', 'applied secrets', 32),
      );
      const session: OpenSession = {
        identity,
        client,
        dialect: settings.dialect,
        limiter: entry.limiter,
        circuit: entry.circuit,
        sims: entry.lists.sims,
        gateways: entry.lists.gateways,
        sites: entry.lists.sites,
        verified: false,
        digest: (value) => createHmac('sha256', key).update(value).digest('base64url'),
      };
      entry.accounts.set(account, { fingerprint, session });
      byAccount.set(account, entry);
      if (known) retireUnused(entry, known.session.client);
      return session;
    },

    close,

    /** Closes everything; for the end of the process. */
    async stop(): Promise<void> {
      const entries = [...shared.values()];
      shared.clear();
      byAccount.clear();
      for (const entry of entries) entry.lists.stop();
      await Promise.all(entries.map((entry) => entry.client.close()));
    },
  };
}

/** See {@link createAccountRegistry}. */
export type AccountRegistry = ReturnType<typeof createAccountRegistry>;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function fingerprintOf(settings: AccountSettings): string {
  const { baseURL, accessToken, accessTokenSecret, authentication, ca, dialect, limits } = settings;
  const parts = [baseURL, accessToken.reveal(), accessTokenSecret.reveal(), authentication, ca ?? '', dialect, limits];
  return digestOf(JSON.stringify(parts));
}
