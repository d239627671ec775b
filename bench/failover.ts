import { parseArgs } from 'node:util';
import { simResource } from '../src/kinds/sim/schema.ts';
import { createEnvironment, type Environment } from './environment.ts';
import {
  clearCounts,
  counts,
  createSims,
  kubernetesWrites,
  pause,
  prepareGateway,
  round,
  subtract,
  watchReady,
} from './sims.ts';

/** What one fail-over showed, of a leader that was killed beside a standby that had everything in its memory. */
export interface FailoverFigures {
  readonly sims: number;
  /** From SIGKILL of the leader until the standby had carried out an edit that was made right after it. */
  readonly editSeconds: number;
  /** Requests to the service until then and for so long after, the edit's own among them. */
  readonly watchedSeconds: number;
  readonly requests: Record<string, number>;
  /** Writes to Kubernetes of the standby meanwhile, but for Leases, by HTTP method: the edit's are one status and one Event. */
  readonly kubernetesWrites: Record<string, number>;
  /** Of the standby, before it took over and after. */
  readonly standbyMB: number;
  readonly leaderMB: number;
}

const DEACTIVATION = 'PUT /commonserviceitem/:id/sim/deactivate';
/** A leader's word holds for so long; an edit takes a moment more. Seconds. */
export const LEASE_SECONDS = 15;
const WATCHED_SECONDS = 30;
const flags = ['--leader-elect', '--lease-namespace', 'default'];

/** Has so many Sims Ready, kills the leader, and deactivates one. */
export async function measureFailover(count: number): Promise<FailoverFigures> {
  const environment = await createEnvironment();
  try {
    const leader = await environment.startOperator(flags);
    const ready = await watchReady(environment, count);
    await prepareGateway(environment);
    await createSims(environment, 0, count);
    await ready.all;
    await ready.stop();
    const standby = await environment.startOperator(flags);
    // Events and statuses of the creation are written to their end, and the standby has seen them.
    await pause(LEASE_SECONDS);
    const standbyMB = Math.round((await standby.operator.memory()).rss);
    await clearCounts(environment);
    const writesBefore = await kubernetesWrites(standby.metrics);
    const began = performance.now();
    await leader.operator.kill('SIGKILL');
    await environment.client.mergePatch(simResource, 'default', 'sim-00000', { spec: { activated: false } });
    await untilSent(environment, DEACTIVATION);
    const editSeconds = round((performance.now() - began) / 1000);
    await pause(WATCHED_SECONDS);
    const { PUT: _leases, ...writes } = subtract(await kubernetesWrites(standby.metrics), writesBefore);
    return {
      sims: count,
      editSeconds,
      watchedSeconds: WATCHED_SECONDS,
      requests: await counts(environment),
      kubernetesWrites: writes,
      standbyMB,
      leaderMB: Math.round((await standby.operator.memory()).rss),
    };
  } finally {
    await environment.stop();
  }
}

async function untilSent(environment: Environment, route: string): Promise<void> {
  while (!(await counts(environment))[route]) await pause(0.02);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { sims: { type: 'string', default: '1000' } } });
  console.log(JSON.stringify(await measureFailover(Number(values.sims)), undefined, 2));
  process.exit(0);
}
