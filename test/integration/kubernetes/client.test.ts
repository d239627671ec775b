import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { NAMESPACES } from '../../../src/kubernetes/resource.ts';
import { testNamespace } from '../../support/kubernetes.ts';
import { CONFIG_MAPS, connect } from './support.ts';

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
}

const client = await connect();

describe('the client, at a real apiserver', () => {
  it('creates, reads, patches, applies, lists in pages and deletes', async () => {
    const namespace = await testNamespace('client');
    const selector = { labelSelector: 'test=client' };
    for (const name of ['a', 'b', 'c']) {
      await client.create(CONFIG_MAPS, namespace, { metadata: { name, labels: { test: 'client' } }, data: { x: '1' } });
    }
    const patched = await client.mergePatch<ConfigMap>(CONFIG_MAPS, namespace, 'a', { data: { x: null, y: '2' } });
    expect(patched.data).toEqual({ y: '2' });
    const applied = await client.applyServerSide<ConfigMap>(
      CONFIG_MAPS,
      namespace,
      'b',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { x: '9' } },
      { force: true },
    );
    expect(applied.data).toEqual({ x: '9' });
    const page = await client.list<ConfigMap>(CONFIG_MAPS, namespace, { ...selector, limit: 2 });
    const rest = await client.list<ConfigMap>(CONFIG_MAPS, namespace, {
      ...selector,
      limit: 2,
      continue: page.continue,
    });
    expect([...page.items, ...rest.items].map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap a',
      'ConfigMap b',
      'ConfigMap c',
    ]);
    await client.delete(CONFIG_MAPS, namespace, 'a', { uid: patched.metadata.uid });
    await expect(client.get(CONFIG_MAPS, namespace, 'a')).rejects.toMatchObject({ reason: 'NotFound' });
  });

  it('is refused a write on what changed, a second creation, and the deletion of another incarnation', async () => {
    const namespace = await testNamespace('client');
    const made = await client.create<ConfigMap>(CONFIG_MAPS, namespace, { metadata: { name: 'a' } });
    await client.mergePatch(CONFIG_MAPS, namespace, 'a', { data: { x: '1' } });
    await expect(client.update(CONFIG_MAPS, namespace, 'a', made)).rejects.toMatchObject({ reason: 'Conflict' });
    await expect(client.create(CONFIG_MAPS, namespace, { metadata: { name: 'a' } })).rejects.toMatchObject({
      reason: 'AlreadyExists',
      message: expect.stringContaining('configmaps "a" already exists'),
    });
    await expect(client.delete(CONFIG_MAPS, namespace, 'a', { uid: 'other' })).rejects.toMatchObject({ status: 409 });
  });

  it('has metadata alone when it asks for it', async () => {
    const { items } = await client.list<ConfigMap>(NAMESPACES, undefined, { metadataOnly: true, limit: 1 });
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
  });

  it('reads the version and the health of the apiserver', async () => {
    expect(await client.raw('GET', '/version')).toMatchObject({ major: '1' });
    expect(await client.raw('GET', '/readyz')).toBe('ok');
  });
});
