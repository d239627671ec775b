import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createInformer, type InformerOptions } from '../../../src/kubernetes/informer.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { eventually, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';
import { CONFIG_MAPS, connect, quiet } from './support.ts';

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}

const client = await connect();

async function follow(namespace: string, options: Partial<InformerOptions<ConfigMap>> = {}) {
  const informer = createInformer<ConfigMap>({
    client,
    resource: CONFIG_MAPS,
    namespaces: [namespace],
    // Every namespace is given one, at a time of the control plane's own choosing.
    fieldSelector: 'metadata.name!=kube-root-ca.crt',
    clock: systemClock,
    random: Math.random,
    log: quiet,
    ...options,
  });
  const changes: string[] = [];
  informer.onChange(({ old, new: now }) => {
    changes.push(`${(now ?? old)?.metadata.name}: ${old?.data?.x ?? 'none'} → ${now?.data?.x ?? 'none'}`);
  });
  informer.start();
  await informer.synced(AbortSignal.timeout(10_000));
  return { informer, changes };
}

describe('an informer, at a real apiserver', () => {
  it('follows what others do', async () => {
    const namespace = await testNamespace('informer');
    await kubectlOutput(['-n', namespace, 'create', 'configmap', 'one', '--from-literal=x=1']);
    const { informer, changes } = await follow(namespace);
    await kubectlOutput(['-n', namespace, 'patch', 'configmap', 'one', '--type=merge', '-p', '{"data":{"x":"2"}}']);
    await kubectlOutput(['-n', namespace, 'delete', 'configmap', 'one']);
    await eventually(() => expect(changes).toEqual(['one: none → 1', 'one: 1 → 2', 'one: 2 → none']));
    expect(informer.list()).toEqual([]);
    await informer.stop();
  });

  it('reads its own writes, and is told of them once', async () => {
    const namespace = await testNamespace('informer');
    const { informer, changes } = await follow(namespace);
    for (let round = 0; round < 50; round++) {
      const answer =
        round === 0
          ? await client.create<ConfigMap>(CONFIG_MAPS, namespace, { metadata: { name: 'one' }, data: { x: '0' } })
          : await client.mergePatch<ConfigMap>(CONFIG_MAPS, namespace, 'one', { data: { x: String(round) } });
      informer.put(answer);
      expect(informer.get(namespace, 'one')?.data).toEqual({ x: String(round) });
    }
    await client.delete(CONFIG_MAPS, namespace, 'one');
    await eventually(() => expect(changes.at(-1)).toBe('one: 49 → none'));
    // What a burst brought is told in as few steps as the watch took, each joined to the one before.
    const joined = changes.slice(1).every((change, index) => {
      return change.slice('one: '.length).split(' → ')[0] === changes[index]?.split(' → ')[1];
    });
    expect(joined).toBe(true);
    expect(informer.list()).toEqual([]);
    await informer.stop();
  });

  it('keeps metadata alone when told to', async () => {
    const namespace = await testNamespace('informer');
    await kubectlOutput(['-n', namespace, 'create', 'configmap', 'one', '--from-literal=x=1']);
    const { informer } = await follow(namespace, { metadataOnly: true });
    await kubectlOutput(['-n', namespace, 'create', 'configmap', 'two', '--from-literal=x=1']);
    await eventually(() => expect(informer.size).toBe(2));
    for (const object of informer.list())
      expect(Object.keys(object).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
    expect(informer.get(namespace, 'two')?.metadata).not.toHaveProperty('managedFields');
    await informer.stop();
  });
});
