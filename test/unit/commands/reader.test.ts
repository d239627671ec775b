import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';

describe('a reader that leaves, as head does', () => {
  it.each(['--help', 'status --help', 'import terraform --help', 'operator --help', 'completion bash'])(
    'ends `edgeline %s` without a word',
    async (line) => {
      const main = join(packageRoot(), 'src', 'main.ts');
      const child = spawn(process.execPath, [main, ...line.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect({ said, code }).toEqual({ said: '', code: 0 });
    },
  );
});
