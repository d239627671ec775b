import type { KubeClient } from '../kubernetes/client.ts';
import { isNotFound } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { SECRETS } from '../kubernetes/resource.ts';
import { SecretValue } from './secret-value.ts';

interface Secret extends KubernetesObject {
  type?: string;
  data?: Record<string, string>;
}

/** A Secret as read a moment ago. */
export interface SecretContent {
  readonly type: string;
  readonly resourceVersion: string;
  /** The value under a key, decoded as UTF-8; undefined when the key is absent or empty. */
  get(key: string): SecretValue | undefined;
}

/** Reads Secrets when they are needed. Nothing is cached: whoever asks while a read is under way shares it. */
export interface SecretReader {
  /** Undefined when there is no such Secret. */
  read(namespace: string, name: string): Promise<SecretContent | undefined>;
}

export function createSecretReader(client: KubeClient): SecretReader {
  const underWay = new Map<string, Promise<SecretContent | undefined>>();

  async function fetch(namespace: string, name: string): Promise<SecretContent | undefined> {
    let secret: Secret;
    try {
      secret = await client.get<Secret>(SECRETS, namespace, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    const data = secret.data ?? {};
    return {
      type: secret.type ?? 'Opaque',
      resourceVersion: secret.metadata.resourceVersion,
      get(key) {
        const encoded = data[key];
        return encoded ? new SecretValue(Buffer.from(encoded, 'base64').toString('utf8')) : undefined;
      },
    };
  }

  return {
    read(namespace, name) {
      const key = `${namespace}/${name}`;
      const shared = underWay.get(key);
      if (shared) return shared;
      const reading = fetch(namespace, name).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
}
