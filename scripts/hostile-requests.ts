import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runHostileRequests } from '../test/support/hostile/run.ts';
import { hostileSeed } from '../test/support/hostile/templates.ts';

/**
 * Sends hostile requests to a simulator in a process of its own and says what came of it:
 * `node scripts/hostile-requests.ts --requests 300000 --seed 1`. Ends with 1 when the process ended or answered with a 500
 * that nobody asked for.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '300000' }, seed: { type: 'string', default: '1' } },
});
const folder = await mkdtemp(join(tmpdir(), 'edgeline-hostile-'));
const seedFile = join(folder, 'seed.json');
await writeFile(seedFile, JSON.stringify(hostileSeed));
const report = await runHostileRequests({
  requests: Number(values.requests),
  seed: Number(values.seed),
  lanes: 8,
  patience: 60_000,
  seedFile,
  progress: (done) => console.error(`${done} requests`),
});
console.log(JSON.stringify(report, undefined, 2));
if (report.violations.length > 0 || report.ended !== undefined) process.exitCode = 1;
