import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { ensureActionlint } from '../../support/go-tools.ts';

it('the workflows of a public CI have nothing a linter objects to', { timeout: 600_000 }, async () => {
  const files = globSync(join(packageRoot(), '.github', 'workflows', '*.yaml'));
  expect(files).toHaveLength(2);
  const { stdout } = await promisify(execFile)(await ensureActionlint(), ['-no-color', ...files]);
  expect(stdout).toBe('');
});

const workflow = z.object({
  defaults: z.object({ run: z.object({ shell: z.string() }) }),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.object({ uses: z.string().optional() })).optional(),
    }),
  ),
});

const read = (name: string) => readFileSync(join(packageRoot(), '.github', 'workflows', name), 'utf8');

it.each(['ci.yaml', 'release.yaml'])('%s names each action by its commit, with the version beside it', (name) => {
  const lines = read(name)
    .split('\n')
    .filter((line) => /uses: (?!\.\/)/.test(line));
  expect(lines.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  expect(lines).not.toEqual([]);
});

it('a pipe fails with any of its commands, and no job of a release may do what another is for', () => {
  const { defaults, permissions, jobs } = workflow.parse(parse(read('release.yaml')));
  expect(defaults.run.shell).toBe('bash');
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
    test: undefined,
    build: { contents: 'read', packages: 'write' },
    sign: { 'id-token': 'write', attestations: 'write', packages: 'write' },
    tag: { packages: 'write' },
    release: { contents: 'write' },
  });
});
