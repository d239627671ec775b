import type { KubeClient } from '../../../src/kubernetes/client.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { parseJson } from '../../../src/kubernetes/json.ts';
import { apply } from '../../../src/kubernetes/merge-patch.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { apiVersionOf, type Resource } from '../../../src/kubernetes/resource.ts';

/** An object as the store keeps it, whatever its kind. */
export type StoredObject = KubernetesObject & Record<string, unknown>;

/**
 * The apiserver's store without the network, for tests that move the clock by hand: names, resource versions, conflicts.
 * Several clients may share one `objects`. What isn't needed throws.
 */
export function memoryClient(objects = new Map<string, StoredObject>()) {
  const calls: string[] = [];
  let failure: (() => Error | undefined) | undefined;
  let hang: Promise<void> | undefined;

  async function enter(verb: string, path: string): Promise<void> {
    calls.push(`${verb} ${path}`);
    if (hang) await hang;
    const error = failure?.();
    if (error) throw error;
  }

  function pathOf(resource: Resource, namespace: string | undefined, name: string): string {
    return `${resource.plural}/${namespace ?? ''}/${name}`;
  }

  /** Gives text, because what went over the wire would be a copy too. */
  function store(path: string, object: unknown, version: number): string {
    const stored = parseJson<StoredObject>(JSON.stringify(object));
    stored.metadata.resourceVersion = String(version);
    objects.set(path, stored);
    return JSON.stringify(stored);
  }

  function refuse(code: number, reason: string, path: string): KubeError {
    return new KubeError({ status: code, reason, message: `${path}: ${reason}` });
  }

  function existing(path: string): StoredObject {
    const object = objects.get(path);
    if (!object) throw refuse(404, 'NotFound', path);
    return object;
  }

  const unused = () => {
    throw new Error('not played here');
  };

  const client: KubeClient = {
    async get<T>(resource: Resource, namespace: string | undefined, name: string) {
      const path = pathOf(resource, namespace, name);
      await enter('get', path);
      return parseJson<T>(JSON.stringify(existing(path)));
    },
    async create(resource, namespace, object) {
      const { metadata } = parseJson<KubernetesObject>(JSON.stringify(object));
      const path = pathOf(resource, namespace, metadata.name);
      await enter('create', path);
      if (objects.has(path)) throw refuse(409, 'AlreadyExists', path);
      return parseJson(store(path, { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }, 1));
    },
    async update(resource, namespace, name, object) {
      const path = pathOf(resource, namespace, name);
      await enter('update', path);
      const before = existing(path).metadata.resourceVersion;
      const { metadata } = parseJson<KubernetesObject>(JSON.stringify(object));
      if (before !== metadata.resourceVersion) throw refuse(409, 'Conflict', path);
      return parseJson(store(path, object, Number(before) + 1));
    },
    async mergePatch(resource, namespace, name, patch) {
      const path = pathOf(resource, namespace, name);
      await enter('patch', path);
      const before = existing(path);
      const { metadata } = parseJson<Partial<KubernetesObject>>(JSON.stringify(patch));
      const expected = metadata?.resourceVersion ?? before.metadata.resourceVersion;
      if (expected !== before.metadata.resourceVersion) throw refuse(409, 'Conflict', path);
      return parseJson(store(path, apply(before, patch), Number(before.metadata.resourceVersion) + 1));
    },
    list: unused,
    applyServerSide: unused,
    delete: unused,
    watch: unused,
    raw: unused,
    close: async () => undefined,
  };

  return {
    client,
    objects,
    calls,
    /** Every call fails with what this gives, while it gives something. */
    fail(next: (() => Error | undefined) | undefined): void {
      failure = next;
    },
    /** No call is answered until the function given back is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      hang = promise;
      return () => {
        hang = undefined;
        resolve();
      };
    },
  };
}
