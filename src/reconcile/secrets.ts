import type { Clock } from '../clock.ts';
import { EdgelineError } from '../errors.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { isNotFound, isSecretForbidden, KubeError } from '../kubernetes/errors.ts';
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
   * @throws SecretUnreadableError when the apiserver has not given it for a while
   */
  read(namespace: string, name: string): Promise<SecretContent | undefined>;
}

/** A Secret, or a value in it, that is not used, whoever names it. */
export class SecretRefusedError extends EdgelineError {
  readonly code = 'SecretRefused';
}

/** The apiserver goes on failing to give one Secret, such as for a key that it can't decrypt it with: its own status tells nobody. */
export class SecretUnreadableError extends EdgelineError {
  readonly code = 'SecretUnreadable';
}

/** A Secret that can't be read for so long is told of: what is shorter is an apiserver that is restarted. Milliseconds. */
const UNREADABLE_MILLISECONDS = 30_000;
/** Whoever needs one tries more often than this; else it is a trouble of its own. Milliseconds. */
const FORGOTTEN_MILLISECONDS = 900_000;

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

function malformed(namespace: string, name: string, key: string): SecretRefusedError {
  return new SecretRefusedError(
    `The value under "${key}" in the Secret ${name} in namespace ${namespace} has line breaks or other control characters in it, or is not UTF-8`,
    `Put only the value itself under "${key}", for example with --from-literal; a file must be UTF-8.`,
  );
}

function unreadable(namespace: string, name: string, error: KubeError): SecretUnreadableError {
  return new SecretUnreadableError(
    `The Secret ${name} in namespace ${namespace} can't be read: ${error.message}`,
    `See what keeps the apiserver from giving it (kubectl get secret -n ${namespace} ${name}), such as an encryption provider that is away. It is tried again.`,
    { cause: error },
  );
}

/** `versionOf`: the resourceVersion of a Secret as last seen; undefined when there is none. */
export function createSecretReader(
  client: Pick<KubeClient, 'get'>,
  versionOf: (namespace: string, name: string) => string | undefined,
  clock: Pick<Clock, 'monotonic'>,
): SecretReader {
  const underWay = new Map<string, Promise<SecretContent | undefined>>();
  /** Secrets that could not be read, by when first and last; the one that failed longest ago first. Monotonic milliseconds. */
  const failing = new Map<string, { readonly since: number; readonly at: number }>();

  /** What a read failed with is to be told as; `key`: of the Secret in `failing`. */
  function failed(key: string, error: KubeError, told: () => SecretUnreadableError): Error {
    const at = clock.monotonic();
    for (const [other, one] of failing) {
      if (at - one.at < FORGOTTEN_MILLISECONDS) break;
      failing.delete(other);
    }
    const since = failing.get(key)?.since ?? at;
    failing.delete(key);
    failing.set(key, { since, at });
    return at - since < UNREADABLE_MILLISECONDS ? error : told();
  }

  async function get(namespace: string, name: string): Promise<Secret | undefined> {
    const key = `${namespace}/${name}`;
    try {
      const secret = await client.get<Secret>(SECRETS, namespace, name);
      failing.delete(key);
      return secret;
    } catch (error) {
      if (error instanceof KubeError && !isNotFound(error) && !isSecretForbidden(error))
        throw failed(key, error, () => unreadable(namespace, name, error));
      failing.delete(key);
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async function fetch(namespace: string, name: string): Promise<SecretContent | undefined> {
    const secret = await get(namespace, name);
    if (!secret) return undefined;
    const { type = 'Opaque', data = {} } = secret;
    if (isOfCluster(type)) throw ofCluster(namespace, name, type);
    const valueOf = (key: string, most = VALUE_BYTES) => {
      const encoded = ownValue(data, key);
      const bytes = encoded === undefined ? 0 : Buffer.byteLength(encoded, 'base64');
      if (bytes > most) throw tooLarge(namespace, name, key, bytes, most);
      return encoded ? new SecretValue(Buffer.from(encoded, 'base64').toString('utf8')) : undefined;
    };
    return {
      type,
      resourceVersion: secret.metadata.resourceVersion,
      get: valueOf,
      word: (key) =>
        trimmed(
          valueOf(key),
          (text) => text.trim(),
          () => malformed(namespace, name, key),
        ),
      line: (key) =>
        trimmed(
          valueOf(key),
          (text) => trimEndOf(text, isLineBreak),
          () => malformed(namespace, name, key),
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
