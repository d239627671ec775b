import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer as createHTTPServer, type ServerResponse } from 'node:http';
import { createServer as createHTTPSServer } from 'node:https';
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { createApiCore } from './api-core.ts';
import { createApiHandler } from './api-handler.ts';
import { createAuthenticator } from './authentication.ts';
import { createAuthority, issueLeaf, type KeyPair } from './certificate-authority.ts';
import { createControlHandler } from './control/handler.ts';
import { createFaults } from './faults.ts';
import { createHolds } from './holds.ts';
import { isLoopback, listen, parseHostAndPort, SimulatorOptionError, urlHost } from './listen.ts';
import { isHeapFull } from './memory.ts';
import { createOperations } from './operations.ts';
import { createRequestLog, type RequestRecord } from './request-log.ts';
import { parseSeed, plantSeed, readSeedFile } from './seed.ts';
import { SeedError } from './seed-error.ts';
import type { ParsedSeed, Seed } from './seed-schema.ts';
import type { Settings } from './settings.ts';
import { createSimulation, emptySimulation, type Simulation } from './simulation.ts';
import { openState } from './state/kept-state.ts';

export interface SimulatorOptions {
  /** HOST:PORT of the service; port 0 takes any that is free. */
  readonly listen: string;
  /** More host names that its certificate is for. */
  readonly hosts?: readonly string[] | undefined;
  /** HOST:PORT of the control port; the host must be a loopback address. */
  readonly control: string;
  /** Where the state is kept from run to run, with the CA. */
  readonly stateFile?: string | undefined;
  /** Where to write the CA's certificate, PEM. */
  readonly caOut?: string | undefined;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  /** What the service holds at first, and after a reset. A state file that is there comes before it. */
  readonly seed?: Seed | undefined;
  readonly seedFile?: string | undefined;
  /** Milliseconds added to every answer. */
  readonly delayMilliseconds?: number | undefined;
  /** Milliseconds a new gateway is `migrating`; 2,000 by default. */
  readonly migratingMilliseconds?: number | undefined;
  readonly settings?: Partial<Settings> | undefined;
  /** The first of the IDs the service gives: two services give different ones. */
  readonly firstID?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  /** Called for every request that has ended. Secrets in its body are digests. */
  readonly log?: ((record: Omit<RequestRecord, 'seq'>) => void) | undefined;
}

export interface Simulator {
  /** `https://host:port`. */
  readonly baseURL: string;
  /** `http://127.0.0.1:port`. */
  readonly control: string;
  /** The CA's certificate, PEM. */
  readonly ca: string;
  readonly caFile?: string;
  /** Ends all connections and writes the state file. */
  close(): Promise<void>;
}

/** Starts the simulated service. Throws `SimulatorOptionError`, `SeedError` or `StateFileError`. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const address = parseHostAndPort(options.listen, '--listen');
  const controlAddress = parseHostAndPort(options.control, '--control');
  if (!isLoopback(controlAddress.host)) {
    throw new SimulatorOptionError(
      '--control',
      `write a loopback address such as 127.0.0.1, not ${controlAddress.host}`,
    );
  }
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const seed = parseSeed(options.seed ?? (options.seedFile === undefined ? {} : await readSeedFile(options.seedFile)));
  const settings: Partial<Settings> = {
    ...(options.delayMilliseconds !== undefined && { delay: options.delayMilliseconds }),
    ...(options.migratingMilliseconds !== undefined && { migratingTime: options.migratingMilliseconds }),
    ...options.settings,
  };
  const simulation = createSimulation({
    clock,
    accounts: accountsOf(options, seed),
    settings,
    firstID: options.firstID,
  });
  const initialSettings = { ...simulation.settings };
  const state = await openedState(options, simulation, settings);
  try {
    return await start();
  } catch (error) {
    await state?.close().catch(() => {});
    throw error;
  }

  async function start(): Promise<Simulator> {
    const kept = state?.authority;
    if (!kept) plantSeed(simulation, seed);

    const authority = kept && usable(kept, clock.now()) ? kept : await createAuthority(clock.now());
    const leaf = await issueLeaf(
      authority,
      [address.host, urlHost(address.host), ...(options.hosts ?? [])].filter(isName),
      clock.now(),
    );
    if (options.caOut !== undefined) await writeAuthority(options.caOut, authority.certificate);
    await state?.keep(authority);

    const passCodes = new Map(Object.entries(seed.passCodes));
    const router = createOperations(() => passCodes);
    const faults = createFaults(router.names, random);
    const holds = createHolds();
    const requests = createRequestLog({
      requests: () => simulation.settings.requestLogLimit,
      bytes: () => simulation.settings.requestLogBytes,
    });
    const serve = createApiHandler({
      simulation,
      authenticator: createAuthenticator(simulation, randomBytes(32)),
      core: createApiCore({ simulation, router, isMemoryFull: isHeapFull }),
      faults,
      holds,
      requests,
      clock,
      ...(options.log && { onRequest: options.log }),
    });
    const control = createControlHandler({
      simulation,
      faults,
      holds,
      requests,
      routes: router.names,
      reset() {
        faults.clear();
        holds.decideAll('drop');
        requests.clear();
        emptySimulation(simulation, initialSettings);
        plantSeed(simulation, seed);
      },
    });

    const api = createHTTPSServer(
      { key: leaf.privateKey, cert: leaf.certificate + authority.certificate, keepAliveTimeout: 75_000, noDelay: true },
      (request, response) => void serve(request, response).catch((error) => lastResort(error, response)),
    );
    const controlServer = createHTTPServer(
      (request, response) => void control(request, response).catch((error) => lastResort(error, response)),
    );
    const port = await listen(api, address, '--listen');
    let controlPort: number;
    try {
      controlPort = await listen(controlServer, controlAddress, '--control');
    } catch (error) {
      api.close();
      throw error;
    }
    return {
      baseURL: `https://${urlHost(address.host)}:${port}`,
      control: `http://${urlHost(controlAddress.host)}:${controlPort}`,
      ca: authority.certificate,
      ...(options.caOut !== undefined && { caFile: options.caOut }),
      async close() {
        const closed = [api, controlServer].map((server) => new Promise((resolve) => server.close(resolve)));
        holds.decideAll('drop');
        api.closeAllConnections();
        controlServer.closeAllConnections();
        await Promise.all(closed);
        await state?.close();
      },
    };
  }
}

function accountsOf(options: SimulatorOptions, seed: ParsedSeed) {
  const { accessToken, accessTokenSecret } = options;
  if (accessToken === '') throw new SimulatorOptionError('--access-token', 'write a token');
  if (accessTokenSecret === '') throw new SimulatorOptionError('--access-token-secret', 'write a secret');
  const accounts = [{ name: 'default', accessToken, accessTokenSecret, sameAs: undefined }, ...seed.accounts];
  for (const [index, account] of seed.accounts.entries()) {
    for (const [member, taken] of [
      ['name', 'another account has this name'],
      ['accessToken', 'another account has this token'],
    ] as const) {
      if (accounts.filter((other) => other[member] === account[member]).length > 1) {
        throw new SeedError([`accounts[${index}].${member}: ${taken}`]);
      }
    }
  }
  for (const [index, { sameAs }] of seed.accounts.entries()) {
    if (sameAs === undefined || accounts.some(({ name }) => name === sameAs)) continue;
    throw new SeedError([`accounts[${index}].sameAs: there is no account of this name, write default or another's`]);
  }
  return accounts.map(({ name, accessToken, accessTokenSecret, sameAs }) => ({
    name,
    accessToken,
    accessTokenSecret,
    sameAs,
  }));
}

function openedState(options: SimulatorOptions, simulation: Simulation, given: Partial<Settings>) {
  if (options.stateFile === undefined) return undefined;
  return openState({
    file: options.stateFile,
    simulation,
    given,
    tell: (message) => process.stderr.write(`${message}\n`),
  });
}

/** A mistake of the simulator's own ends the one request it showed in, not the process. */
function lastResort(error: unknown, response: ServerResponse): void {
  process.stderr.write(`the simulator failed: ${messageOf(error)}\n`);
  response.destroy();
}

/** Whether the CA is good for at least another month. */
function usable(authority: KeyPair, now: number): boolean {
  return new X509Certificate(authority.certificate).validToDate.getTime() > now + 30 * 86_400_000;
}

function isName(host: string): boolean {
  return host !== '0.0.0.0' && host !== '::' && !host.startsWith('[');
}

/** Writes the CA unless the file holds it already: what watches the file should not see a change where there is none. */
async function writeAuthority(file: string, certificate: string): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before === certificate) return;
  try {
    await writeFile(`${file}.new`, certificate);
    await rename(`${file}.new`, file);
  } catch (error) {
    throw new SimulatorOptionError('--ca-out', `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
