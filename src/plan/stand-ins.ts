import { STAND_IN, UNKNOWN_VALUE } from './accounts.ts';
import { secretsIn } from './concern.ts';
import { isMembers, memberAt, type ObjectJson, textAt } from './objects.ts';

/** A Secret that a manifest or an object of the cluster names. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

/** The Secrets that objects name. Pure. */
export function secretsNamed(objects: readonly ObjectJson[], namespace: string): SecretName[] {
  const all = objects.flatMap((object) => {
    const place = placeOf(object, namespace);
    return secretsIn(object['spec']).map((name) => ({ namespace: place, name }));
  });
  return [...new Map(all.map((one) => [`${one.namespace}/${one.name}`, one])).values()];
}

/** The namespace of the Secrets of an object; `otherwise`: of a manifest that names none. */
function placeOf(object: ObjectJson, otherwise: string): string {
  return textAt(object, 'spec', 'secretNamespace') ?? textAt(object, 'metadata', 'namespace') ?? otherwise;
}

/**
 * Secrets that stand in for those that may not be read, with the keys that objects name: what the operator would send of
 * them is not known. Where a certificate should be there is nothing that could stand in for it. Pure.
 */
export function standIns(
  missing: readonly SecretName[],
  objects: readonly ObjectJson[],
  namespace: string,
): ObjectJson[] {
  return missing.map((secret) => {
    const keys = new Set(
      objects.flatMap((object) =>
        placeOf(object, namespace) === secret.namespace ? keysIn(object['spec'], secret.name) : [],
      ),
    );
    const value = `${UNKNOWN_VALUE}-${secret.namespace}-${secret.name}`;
    const data = Object.fromEntries([...keys].map((key) => [key, Buffer.from(value).toString('base64')]));
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...secret, annotations: { [STAND_IN]: 'true' }, creationTimestamp: '1970-01-01T00:00:00Z' },
      type: 'Opaque',
      data,
    };
  });
}

/** The keys of a Secret that a spec needs: those it names, or those that a reference without a key is for. */
function keysIn(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => keysIn(one, name));
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([member, below]) => {
    if (!/secretRef$/i.test(member) || textAt(below, 'name') !== name) return keysIn(below, name);
    const key = memberAt(below, 'key');
    if (typeof key === 'string') return [key];
    if (memberAt(value, 'bucket') !== undefined) return ['accessKeyID', 'secretAccessKey'];
    return member === 'credentialsSecretRef' ? ['accessToken', 'accessTokenSecret'] : [];
  });
}
