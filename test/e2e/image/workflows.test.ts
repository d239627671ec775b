import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { ensureActionlint } from '../../support/go-tools.ts';

it('the workflows of a public CI have nothing a linter objects to', { timeout: 600_000 }, async () => {
  const files = globSync(join(packageRoot(), '.github', 'workflows', '*.yaml'));
  expect(files).toHaveLength(2);
  const { stdout } = await promisify(execFile)(await ensureActionlint(), ['-no-color', ...files]);
  expect(stdout).toBe('');
});
