import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RotationFigures, rotationSection } from './rotation.ts';
import type { SimFigures } from './sims.ts';

/**
 * Runs the benchmarks one after another, each in a process of its own, and writes bench/results.md.
 * `npm run bench -- --sims 1000,3000`
 */
const { values } = parseArgs({
  options: { sims: { type: 'string', default: '1000,3000' }, steady: { type: 'string', default: '125' } },
});

const runs: SimFigures[] = [];
for (const count of values.sims.split(',')) {
  console.error(`measuring ${count} Sims`);
  const output = execFileSync(
    process.execPath,
    [join(import.meta.dirname, 'sims.ts'), '--sims', count, '--steady', values.steady],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  runs.push(JSON.parse(output));
}
console.error('measuring certificates');
const rotation: RotationFigures = JSON.parse(
  execFileSync(process.execPath, [join(import.meta.dirname, 'rotation.ts')], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);

const row = (title: string, of: (run: SimFigures) => string | number) => `| ${title} | ${runs.map(of).join(' | ')} |`;
const list = (record: Record<string, number>) =>
  Object.entries(record)
    .filter(([, value]) => value > 0)
    .map(([key, value]) => `${value} ${key}`)
    .join('<br>') || 'none';

const document = `# Results of \`npm run bench\`

Everything on one machine: etcd and kube-apiserver, the simulator over HTTPS, and the bundled operator. ${cpus().length} cores
(${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Each Sim is created, gets its carriers, is
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
${row('control plane: CPU seconds', (run) => run.controlPlaneCPUSeconds)}
${row('simulator: CPU seconds', (run) => run.simulatorCPUSeconds)}
${row(`steady state, ${values.steady} seconds: requests`, (run) => list(run.steady.requests))}
${row('steady state: writes to Kubernetes', (run) => run.steady.kubernetesWrites)}
${row('steady state: operator CPU seconds', (run) => run.steady.cpuSeconds)}
${row('restart with all Ready: ready after, seconds', (run) => run.restart.startSeconds)}
${row('restart, 15 seconds: requests', (run) => list(run.restart.requests))}
${row('restart: writes to Kubernetes', (run) => run.restart.kubernetesWrites)}
${row('restart: memory, and at most, MB', (run) => `${run.restart.rssMB}, ${run.restart.peakMB}`)}

The operator runs with \`MALLOC_ARENA_MAX=1\` and reaches the cluster by a kubeconfig. Reading one loads a library that a pod
does not need: reached as a pod does it, by a service account's token, it had 111 MB where it has 117 here with 1,000 Sims.

For comparison, a Go operator for the Sim kind alone (controller-runtime), measured the same way on two cores before:
97–111 Sims a second, 2 writes to Kubernetes and 10 requests to the service a Sim, 50 MB with 1,000 Sims and 62 MB with
3,000, 18 requests a Sim and hour in the steady state, 3 requests a Sim after a restart.

${rotationSection(rotation)}`;
await writeFile(join(import.meta.dirname, 'results.md'), document);
console.log(document);
