import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { eventually } from '../support/kubernetes.ts';
import { startOperatorProcess } from './crash/operator-process.ts';

test('an operator that cannot reach the apiserver says so, and waits for it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const nobody = `https://127.0.0.1:${await freePort()}`;
  const somebody = await readFile(adminKubeconfig(), 'utf8');
  await writeFile(kubeconfig, somebody.replace(/server: .*/, `server: ${nobody}`));
  const operator = startOperatorProcess(kubeconfig, []);
  const ended = operator.exited.then((code) => `it ended with ${code}`);
  try {
    await eventually(() =>
      expect(operator.log()).toContain('Check that the Kubernetes API server can be reached from here.'),
    );
    const moment = new Promise<string>((resolve) => setTimeout(resolve, 2000, 'it waits'));
    expect(await Promise.race([ended, moment])).toBe('it waits');
    operator.signal('SIGTERM');
    expect(await ended).toBe('it ended with 0');
  } finally {
    await operator.kill();
    await rm(directory, { recursive: true });
  }
});
