import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createKubeClient } from '../../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { createInformer } from '../../../src/kubernetes/informer.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { ensureControlPlane, startControlPlane } from '../../../src/sandbox/control-plane/control-plane.ts';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { freePort } from '../../../src/sandbox/processes/free-port.ts';
import { eventually } from '../../support/kubernetes.ts';
import { CONFIG_MAPS, quiet } from './support.ts';

interface ConfigMap extends KubernetesObject {
  data?: { value?: string };
}

it('an informer that saw more than a restored etcd has shows what is there now, and goes on', {
  timeout: 180_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'restore-'));
  const [data, backup] = [join(directory, 'data'), join(directory, 'backup')];
  const sourceDir = join(packageRoot(), 'test', 'control-plane');
  const { bin } = await ensureControlPlane({ sourceDir, progress: () => undefined, clock: systemClock });
  const port = await freePort();
  const start = () => startControlPlane({ bin, clock: systemClock, dataDir: data, port });

  let running = await start();
  const connection = await loadKubeconfig({ kubeconfig: running.kubeconfig, clock: systemClock, environment: {} });
  const client = createKubeClient({
    transport: createTransport(connection),
    userAgent: 'edgeline-test',
    fieldManager: 'edgeline',
    clock: systemClock,
    random: Math.random,
  });
  const write = (name: string, value: string) =>
    client.applyServerSide<ConfigMap>(CONFIG_MAPS, 'default', name, { metadata: { name }, data: { value } });
  await write('kept', 'old');
  await write('deleted', 'old');
  await running.stop();
  await cp(data, backup, { recursive: true });

  running = await start();
  const informer = createInformer<ConfigMap>({
    client,
    resource: CONFIG_MAPS,
    namespaces: ['default'],
    clock: systemClock,
    random: Math.random,
    log: quiet,
  });
  const changes: string[] = [];
  informer.onChange(({ old, new: now }) =>
    changes.push(`${(now ?? old)?.metadata.name}: ${old?.data?.value ?? 'none'} → ${now?.data?.value ?? 'none'}`),
  );
  informer.start();
  await informer.synced();
  for (let round = 0; round < 50; round++) await write('kept', `new ${round}`);
  await write('later', 'new');
  await client.delete(CONFIG_MAPS, 'default', 'deleted');
  await eventually(() => {
    expect(informer.get('default', 'later')?.data?.value).toBe('new');
    expect(informer.get('default', 'deleted')).toBeUndefined();
  });
  // The answer of a write of our own, which the watch may not have brought.
  informer.put(await write('kept', 'ours'));

  await running.stop();
  await rm(data, { recursive: true });
  await cp(backup, data, { recursive: true });
  changes.length = 0;
  running = await start();
  const values = () =>
    Object.fromEntries(['kept', 'later', 'deleted'].map((name) => [name, informer.get('default', name)?.data?.value]));
  await eventually(() => expect(values()).toEqual({ kept: 'old', later: undefined, deleted: 'old' }), {
    timeoutSeconds: 90,
  });
  await write('kept', 'after');
  await eventually(() => expect(values()).toEqual({ kept: 'after', later: undefined, deleted: 'old' }));
  expect(changes.filter((change) => !change.startsWith('kube-root')).toSorted()).toEqual([
    'deleted: none → old',
    'kept: old → after',
    'kept: ours → old',
    'later: new → none',
  ]);

  await informer.stop();
  await client.close();
  await running.stop();
  await rm(directory, { recursive: true });
});
