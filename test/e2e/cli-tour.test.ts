import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { readPageAt } from '../support/documents.ts';
import { type SandboxRun, startSandbox } from '../support/sandbox.ts';
import { openTerminal, passagesOf, promisedBy, type Terminal } from '../support/walkthrough.ts';

/** Follows docs/cli-tour.md word by word, in a sandbox, with the bundle under the name that kubectl looks for. */
const passages = passagesOf(readPageAt('docs/cli-tour.md'));
const home = mkdtempSync(join(tmpdir(), 'cli-tour-'));
let sandbox: SandboxRun;
let terminal: Terminal;
let toPaste: string;

beforeAll(async () => {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(join(packageRoot(), 'dist', 'edgeline.mjs'), join(bin, 'kubectl-edgeline'));
  terminal = openTerminal({ env: { PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter) } });
  sandbox = startSandbox([]);
  toPaste = await sandbox.untilReady();
});

afterAll(() => {
  terminal.dispose();
  sandbox.dispose();
  rmSync(home, { recursive: true, force: true });
});

describe('docs/cli-tour.md', () => {
  it('begins with the lines that the sandbox prints', async () => {
    expect(await terminal.paste(toPaste)).toEqual({ code: 0, output: '' });
  });

  it.each([...Map.groupBy(passages, ({ heading }) => heading)])('%s', async (_heading, section) => {
    for (const passage of section) expect(await terminal.follow(passage)).toEqual(promisedBy(passage));
  });
});
