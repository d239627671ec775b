import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { versionsDocument, versionsPage, versionsResults } from '../../scripts/versions-doc.ts';
import { systemClock } from '../../src/clock.ts';
import { messageOf } from '../../src/errors.ts';
import { controlPlaneTool } from '../../src/sandbox/build/control-plane.ts';
import { ensureTool } from '../../src/sandbox/build/go-tool.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { parseVersions, testedVersions, versionIn } from './chosen.ts';
import { outcomeOf, readResults, withResult } from './report.ts';
import { sourcesFor } from './sources.ts';

/**
 * Runs the integration tests against the control plane of several versions of Kubernetes, one after another, and records in
 * results.json and in the reference what became of them.
 */
const root = packageRoot();
const own = join(root, 'test', 'control-plane');
const ownVersion = versionIn(readFileSync(join(own, 'go.mod'), 'utf8'));

const command = new Command('test:versions')
  .description('run the integration tests on several versions of Kubernetes, and record the results in the reference')
  .argument('[file...]', 'only these test files; then nothing is recorded')
  .option('--versions <list>', 'such as 1.32,1.34.4', parseVersions(ownVersion), testedVersions(ownVersion))
  .option('--build-only', 'build what is missing, print where it is, and run nothing', false)
  .parse();
const { versions, buildOnly } = command.opts<{ readonly versions: string[]; readonly buildOnly: boolean }>();
const files = command.args;

for (const version of versions) {
  // A version that can not be built or tested keeps no other from being so.
  await testOn(version).catch((error: unknown) => {
    say(`Kubernetes ${version}: ${messageOf(error)}`);
    process.exitCode = 1;
  });
}

async function testOn(version: string): Promise<void> {
  const directory = await built(version);
  if (buildOnly) return void process.stdout.write(`${version} ${directory}\n`);
  say(`Kubernetes ${version}: ${files.length === 0 ? 'all integration tests' : files.join(', ')}`);
  const outcome = outcomeOf(await vitest(version, join(directory, 'control-plane')), root);
  const { passed, failed, notApplicable } = outcome;
  say(
    `Kubernetes ${version}: ${passed} passed, ${failed.length} failed, ${notApplicable.length} not applicable` +
      failed.map((test) => `\n  failed: ${test}`).join(''),
  );
  if (failed.length > 0) process.exitCode = 1;
  if (files.length > 0) return;
  const result = {
    kubernetes: version,
    ...outcome,
    on: new Date().toISOString().slice(0, 10),
    command: `npm run test:versions -- --versions ${version}`,
  };
  const results = withResult(readResults(join(root, versionsResults)), result);
  writeFileSync(join(root, versionsResults), `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(join(root, versionsPage), versionsDocument());
}

/** The directory with the programs; those of the project's own version are the ones that all other tests use. */
async function built(version: string): Promise<string> {
  const { env } = process;
  const sourceDir = version === ownVersion ? own : await sourcesFor(own, version, env);
  const tool = { ...controlPlaneTool(sourceDir), title: `control plane ${version}` };
  return (await ensureTool(tool, { progress: say, clock: systemClock, env })).directory;
}

/** Runs the tests, showing what they say, and gives the report. */
async function vitest(version: string, bin: string): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), 'test-versions'));
  const report = join(directory, 'report.json');
  // What else may name a control plane would be tested in its place.
  const { KUBEBUILDER_ASSETS: _, EDGELINE_TEST_KUBECONFIG: __, ...env } = process.env;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  try {
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'integration', ...reporters, ...files],
      {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...env, CONTROL_PLANE_BIN: bin, EDGELINE_TEST_KUBERNETES: version },
      },
    );
    await once(child, 'exit');
    if (!existsSync(report)) throw new Error('Vitest ended before all tests had run; what it printed says why');
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
