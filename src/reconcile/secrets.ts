import { EdgelineError } from '../errors.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { isNotFound } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { SECRETS } from '../kubernetes/resource.ts';
import { ownValue } from '../own.ts';
import { trimEndOf } from '../text.ts';
import { SecretValue } from './secret-value.ts';

interface Secret extends KubernetesObject {
  type?: string;
  data?: Record<string, string>;
}

/** A Secret as read a moment ago. */
export interface SecretContent {
  readonly type: string;
  readonly resourceVersion: string;
  /**
   * The value under a key, decoded as UTF-8; undefined when the key is absent or empty. `most` bytes are read, by default
   * as many as any password has.
   * @throws SecretRefusedError when it is larger
   */
  get(key: string, most?: number): SecretValue | undefined;
  /**
   * The value as {@link get} has it, without the white space around it that an editor, `echo` or a file of Windows leaves:
   * for tokens, codes and URLs, which neither begin nor end with any.
   * @throws SecretRefusedError also where characters are in it that nobody types
   */
  word(key: string): SecretValue | undefined;
  /** The same without the line breaks at its end alone: for secrets that may be any text on one line. */
  line(key: string): SecretValue | undefined;
}

/**
 * Reads Secrets when they are needed. Nothing is cached: whoever asks while a read is under way shares it, unless a change
 * was seen since it began, which it may not show.
 */
export interface SecretReader {
  /**
   * Undefined when there is no such Secret.
   * @throws SecretRefusedError for a Secret of a type that belongs to the cluster
   */
  read(namespace: string, name: string): Promise<SecretContent | undefined>;
}

/** A Secret, or a value in it, that is not used, whoever names it. */
export class SecretRefusedError extends EdgelineError {
  readonly code = 'SecretRefused';
}

/** Tokens, passwords and keys of a few lines. */
const VALUE_BYTES = 16 * 1024;

/**
 * Types whose Secrets are credentials of the cluster itself. Whoever may create resources here names Secrets and says
 * where they go; nobody means these, and they are worth the most.
 */
const CLUSTER_TYPES: ReadonlySet<string> = new Set([
  'kubernetes.io/service-account-token',
  'kubernetes.io/dockercfg',
  'kubernetes.io/dockerconfigjson',
  'kubernetes.io/ssh-auth',
  'bootstrap.kubernetes.io/token',
]);

function isOfCluster(type: string): boolean {
  return CLUSTER_TYPES.has(type) || type.startsWith('helm.sh/');
}

function ofCluster(namespace: string, name: string, type: string): SecretRefusedError {
  return new SecretRefusedError(
    `The Secret ${name} in namespace ${namespace} is of the type ${type}, which is never sent to the service`,
    'Put what belongs there into a Secret of its own, of the type Opaque, and name that one.',
  );
}

function tooLarge(namespace: string, name: string, key: string, bytes: number, most: number): SecretRefusedError {
  return new SecretRefusedError(
    `The value under "${key}" in the Secret ${name} in namespace ${namespace} is ${bytes} bytes long, and at most ${most} are read`,
    `Put only what belongs there under "${key}".`,
  );
}

/** A line break, a NUL or another control character, or what was no UTF-8. */
const UNTYPED = /[\p{Cc}\ufffd]/u;

/** A value with what surrounds it taken off; undefined when nothing is left. */
export function trimmed(
  value: SecretValue | undefined,
  trim: (text: string) => string,
  refused: () => SecretRefusedError,
): SecretValue | undefined {
  const text = value && trim(value.reveal());
  if (!text) return undefined;
  if (UNTYPED.test(text)) throw refused();
  return new SecretValue(text);
}

const isLineBreak = (character: string) => character === '\n' || character === '\r';

function unreadable(namespace: string, name: string, key: string): SecretRefusedError {
  return new SecretRefusedError(
    `The value under "${key}" in the Secret ${name} in namespace ${namespace} has line breaks or other control characters in it, or is not UTF-8`,
    `Put only the value itself under "${key}", for example with --from-literal; a file must be UTF-8.`,
  );
}

/** `versionOf`: the resourceVersion of a Secret as last seen; undefined when there is none. */
export function createSecretReader(
  client: Pick<KubeClient, 'get'>,
  versionOf: (namespace: string, name: string) => string | undefined,
): SecretReader {
  const underWay = new Map<string, Promise<SecretContent | undefined>>();

  async function fetch(namespace: string, name: string): Promise<SecretContent | undefined> {
    let secret: Secret;
    try {
      secret = await client.get<Secret>(SECRETS, namespace, name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    const { type = 'Opaque', data = {} } = secret;
    if (isOfCluster(type)) throw ofCluster(namespace, name, type);
    const get = (key: string, most = VALUE_BYTES) => {
      const encoded = ownValue(data, key);
      const bytes = encoded === undefined ? 0 : Buffer.byteLength(encoded, 'base64');
      if (bytes > most) throw tooLarge(namespace, name, key, bytes, most);
      return encoded ? new SecretValue(Buffer.from(encoded, 'base64').toString('utf8')) : undefined;
    };
    return {
      type,
      resourceVersion: secret.metadata.resourceVersion,
      get,
      word: (key) =>
        trimmed(
          get(key),
          (text) => text.trim(),
          () => unreadable(namespace, name, key),
        ),
      line: (key) =>
        trimmed(
          get(key),
          (text) => trimEndOf(text, isLineBreak),
          () => unreadable(namespace, name, key),
        ),
    };
  }

  return {
    read(namespace, name) {
      const key = `${namespace}/${name} ${versionOf(namespace, name) ?? ''}`;
      const shared = underWay.get(key);
      if (shared) return shared;
      const reading = fetch(namespace, name).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };
}
