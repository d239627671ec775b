import { readFileSync } from 'node:fs';
import { createOperations } from '../../../src/simulator/operations.ts';
import { createRoot, issue } from '../certificates.ts';
import { type SpawnedSimulator, spawnSimulator } from '../simulator-process.ts';
import { createChance } from './random.ts';
import { createRawClient, type RawAnswer } from './raw-client.ts';
import { createHostileRequests, type HostileRequest, hostileCredentials } from './requests.ts';

/** What came of a run. */
export interface HostileReport {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /** Each with the request that brought it about. */
  readonly violations: readonly string[];
  /** How the process ended, if it did. */
  readonly ended: string | undefined;
  readonly seconds: number;
  /** Most memory the process had, MB. */
  readonly peakMB: number;
}

const askedFor = 'a fault that was asked for';
const kept = 20;

/**
 * Sends so many hostile requests to the service's port and the control port of a simulator in a process of its own, over
 * several connections at once. A violation is an answer of 500 or more that no fault asked for, or no answer within `patience`
 * milliseconds.
 */
export async function runHostileRequests(options: {
  readonly requests: number;
  readonly seed: number;
  readonly lanes: number;
  readonly patience: number;
  readonly seedFile: string;
  /** After so many requests everything is as in the seed again; 100 unless given. */
  readonly resetEvery?: number;
  /** More flags of the simulator. */
  readonly more?: readonly string[];
  /** Called at the end, with the process that was attacked. */
  readonly afterwards?: (simulator: SpawnedSimulator) => Promise<void>;
  readonly progress?: (done: number) => void;
}): Promise<HostileReport> {
  const simulator = await hostileTarget(options.seedFile, options.more);
  const issuer = await createRoot();
  const issued = await issue(issuer, ['www.example.jp']);
  const routes = createOperations(() => new Map()).names;
  const { resetEvery = 100 } = options;
  const byStatus = new Map<number, number>();
  const violations: string[] = [];
  const began = performance.now();
  let done = 0;

  async function lane(number: number): Promise<void> {
    const chance = createChance(options.seed * 1_000 + number);
    const next = createHostileRequests(routes, { chain: issued.chain, key: issued.key }, chance);
    const clients = {
      service: createRawClient({ port: portOf(simulator.baseURL), ca: simulator.ca }, options.patience),
      control: createRawClient({ port: portOf(simulator.control) }, options.patience),
    };
    while (done < options.requests && !simulator.ended() && violations.length < kept) {
      done++;
      if (done % 10_000 === 0) options.progress?.(done);
      // Faults, the clock and what was deleted would leave less and less to attack.
      const request = done % resetEvery === 0 ? resetRequest : next();
      const client = clients[request.to];
      if (request.abandoned) {
        await client.abandon(request.bytes).catch(() => {});
        continue;
      }
      const answer = await client.send(request.bytes).catch((): RawAnswer => ({ status: 0, body: '', inTime: true }));
      byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
      const wrong = wrongWith(request, answer);
      if (wrong) violations.push(`${wrong}\n${request.bytes.toString('utf8').slice(0, 1_500)}`);
    }
    clients.service.close();
    clients.control.close();
  }

  await Promise.all(Array.from({ length: options.lanes }, (_, number) => lane(number)));
  const ended = simulator.ended();
  const peak = ended === undefined ? peakMB(simulator.pid) : 0;
  if (ended === undefined) await options.afterwards?.(simulator);
  await simulator.stop();
  return {
    requests: done,
    byStatus: Object.fromEntries([...byStatus].sort(([one], [other]) => one - other)),
    violations,
    ended,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    peakMB: peak,
  };
}

const resetRequest: HostileRequest = {
  to: 'control',
  abandoned: false,
  bytes: Buffer.from('POST /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'),
};

function wrongWith(request: HostileRequest, answer: RawAnswer): string | undefined {
  if (!answer.inTime) return `no answer in time at the ${request.to} port`;
  if (answer.status < 500 || answer.body.includes(askedFor)) return undefined;
  return `${answer.status} at the ${request.to} port: ${answer.body.slice(0, 300)}`;
}

const portOf = (url: string) => Number(new URL(url).port);

/** Starts a simulator that takes the credentials of the hostile requests. */
export function hostileTarget(seedFile: string, more: readonly string[] = []): Promise<SpawnedSimulator> {
  const [token, secret] = hostileCredentials;
  return spawnSimulator([
    `--access-token=${token}`,
    `--access-token-secret=${secret}`,
    `--seed-file=${seedFile}`,
    ...more,
  ]);
}

function peakMB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
