import type { Views } from '../at-service.ts';
import type { Incarnation } from '../intent.ts';
import { same, textAt } from '../json.ts';
import { digestOf } from '../reading/site.ts';
import type { Scene } from '../scene.ts';
import { secretNow, wanted } from './diagnosis.ts';

/**
 * What is never shown of a site stays as people set it, for nobody notices; but what its Secret has now was sent, whatever
 * became of it then.
 */
export function neverSent(scene: Scene, incarnation: Incarnation, { id }: Views['sites']): string[] {
  const { spec } = wanted(incarnation);
  const valueOf = (name: string | undefined, key: string) =>
    name === undefined ? undefined : secretNow(scene, incarnation.namespace, name, key);
  const bucket = textAt(spec, 'origin', 'objectStorage', 'credentialsSecretRef', 'name');
  const once = textAt(spec, 'oneTimeURLSecretRef', 'name');
  const [keyID, key, secret] = [
    valueOf(bucket, 'accessKeyID'),
    valueOf(bucket, 'secretAccessKey'),
    valueOf(once, textAt(spec, 'oneTimeURLSecretRef', 'key') ?? ''),
  ];
  const found = [
    { member: 'accessKeyID', wants: keyID && digestOf(keyID) },
    { member: 'secretAccessKeyDigest', wants: key && digestOf(key) },
    { member: 'oneTimeURLSecrets', wants: secret && [secret] },
  ] as const;
  return found.flatMap(({ member, wants }) => {
    const sent = scene.atService.lastSent(id, member);
    const isBefore = wants && same(scene.atService.now('sites', id)?.[member], wants);
    return !wants || isBefore || same(sent, wants) ? [] : [`${member} is not what was sent last`];
  });
}
