import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { program } from '../../support/program.ts';

it('what others named is told in errors without anything that a terminal would act on', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-'));
  const file = join(directory, 'a\u001b[2J\nerror: all is well\u202e.yaml');
  await writeFile(file, 'kind: [');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), 'plan', '-f', file], { encoding: 'utf8' });
  expect([status, stdout, stderr.split('\n').length]).toEqual([1, '', 3]);
  expect(stderr).toMatch(
    /^error: .*a\\u\{1b\}\[2J error: all is well\\u\{202e\}\.yaml is no YAML: .*\nCorrect the file\.\n$/,
  );
  await rm(directory, { recursive: true });
});

it.runIf(process.platform === 'linux')('a full disk is told of in words', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program(), 'completion', 'bash'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'error: what is printed cannot be written: ENOSPC: no space left on device, write\nWrite it elsewhere, or make room there: what was written is not all.\n',
  });
});

describe('a reader that leaves, as head does', () => {
  it.each(['--help', 'status --help', 'import terraform --help', 'operator --help', 'completion bash'])(
    'ends `edgeline %s` without a word',
    async (line) => {
      const child = spawn(process.execPath, [program(), ...line.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect({ said, code }).toEqual({ said: '', code: 0 });
    },
  );
});
