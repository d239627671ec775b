import { type CostFigures, costSection } from './cost.ts';
import { type FailoverFigures, LEASE_SECONDS } from './failover.ts';
import { type RotationFigures, rotationSection } from './rotation.ts';
import type { SimFigures } from './sims.ts';

/** All that a run of the benchmarks found: what `--json` writes and `--compare` reads. Members are added to it. */
export interface BenchResults {
  readonly taken: {
    /** The day, as YYYY-MM-DD. */
    readonly on: string;
    readonly cores: number;
    readonly cpu: string;
    readonly memoryGiB: number;
    readonly node: string;
  };
  readonly runs: readonly SimFigures[];
  readonly rotation: RotationFigures;
  readonly cost: CostFigures;
  /** Absent in older ones. */
  readonly failover?: FailoverFigures;
}

/** bench/results.md. Pure. */
export function resultsDocument({ taken, runs, rotation, cost, failover }: BenchResults): string {
  const row = (title: string, of: (run: SimFigures) => string | number) => `| ${title} | ${runs.map(of).join(' | ')} |`;
  const steadySeconds = runs.map((run) => run.steady.seconds).join(' and ');
  return `# Results of \`npm run bench\`

Everything on one machine: etcd and kube-apiserver, the simulator over HTTPS, and the bundled operator. ${taken.cores} cores
(${taken.cpu}), ${taken.memoryGiB} GiB, Node ${taken.node}, ${taken.on}. Each Sim is created, gets its carriers, is
activated, registered with a gateway and given an address. The account's limit is set out of the way.

| Sims | ${runs.map((run) => run.sims).join(' | ')} |
|---|${runs.map(() => '---').join('|')}|
${row('all Ready after, seconds', (run) => run.readySeconds)}
${row('Sims a second', (run) => run.simsPerSecond)}
${row('requests to the service a Sim', (run) => run.totalRequestsPerSim)}
${row('by route, a Sim', (run) => list(run.requestsPerSim))}
${row('writes to Kubernetes a Sim (POST: events)', (run) => list(run.kubernetesWritesPerSim))}
${row('operator: ready after its start, seconds', (run) => run.operator.startSeconds)}
${row('operator: CPU seconds', (run) => run.operator.cpuSeconds)}
${row('operator: memory when all are Ready, and at most, MB', (run) => `${run.operator.rssMB}, ${run.operator.peakMB}`)}
${row('control plane: CPU seconds, and until all events are written', (run) => `${run.controlPlaneCPUSeconds}, ${run.controlPlaneCPUSecondsWithEvents}`)}
${row('simulator: CPU seconds', (run) => run.simulatorCPUSeconds)}
${row(`steady state, ${steadySeconds} seconds: requests`, (run) => list(run.steady.requests))}
${row('steady state: writes to Kubernetes', (run) => run.steady.kubernetesWrites)}
${row('steady state: operator CPU seconds', (run) => run.steady.cpuSeconds)}
${row('restart with all Ready: ready after, seconds', (run) => run.restart.startSeconds)}
${row('restart, 15 seconds: requests', (run) => list(run.restart.requests))}
${row('restart: writes to Kubernetes', (run) => run.restart.kubernetesWrites)}
${row('restart: memory, and at most, MB', (run) => `${run.restart.rssMB}, ${run.restart.peakMB}`)}

The operator runs with \`MALLOC_ARENA_MAX=1\` and reaches the cluster by a kubeconfig. Reading one loads a library that a pod
does not need: reached as a pod does it, by a service account's token, it takes 6 MB less with 1,000 Sims.

For comparison, a Go operator for the Sim kind alone (controller-runtime), measured the same way on two cores before:
97–111 Sims a second, 2 writes to Kubernetes and 10 requests to the service a Sim, 50 MB with 1,000 Sims and 62 MB with
3,000, 18 requests a Sim and hour in the steady state, 3 requests a Sim after a restart.

${costSection(cost)}
${rotationSection(rotation)}${
  failover
    ? `
${failoverSection(failover)}`
    : ''
}`;
}

function failoverSection(figures: FailoverFigures): string {
  return `## Fail-over

With ${figures.sims} Sims Ready the leader is killed, and right after it a person deactivates one of them. The other replica has everything
in its memory and waits until the Lease, of ${LEASE_SECONDS} seconds, has run out.

| | |
|---|---|
| until the edit is carried out | ${figures.editSeconds} s |
| requests to the service until ${figures.watchedSeconds} seconds later, the edit's among them | ${list(figures.requests)} |
| writes to Kubernetes, but for Leases (the edit's are a status and an Event) | ${list(figures.kubernetesWrites)} |
| memory of the standby before, and as the leader, MB | ${figures.standbyMB}, ${figures.leaderMB} |
`;
}

function list(record: Readonly<Record<string, number>>): string {
  const shown = Object.entries(record)
    .filter(([, value]) => value > 0)
    .map(([key, value]) => `${value} ${key}`);
  return shown.join('<br>') || 'none';
}
