import * as z from 'zod';
import type { HintSim } from '../display/hints.ts';
import { SandboxFailed } from '../errors.ts';
import { demoNamespace } from '../names.ts';
import { type Manifest, nameOf, readManifests } from './manifests.ts';

/**
 * The manifests of a directory, in the sandbox's namespace.
 *
 * @throws {SandboxFailed} when they can't be read, or one of them is meant for another namespace.
 */
export function examplesIn(directory: string): Manifest[] {
  return readManifests(directory).map(({ object, source }) => {
    const { namespace } = object.metadata;
    if (namespace !== undefined && namespace !== demoNamespace) {
      throw new SandboxFailed(
        `${nameOf(object)} (${source}) is not for namespace ${demoNamespace}`,
        'Leave metadata.namespace out: the sandbox has one namespace for all examples.',
      );
    }
    return { source, object: { ...object, metadata: { ...object.metadata, namespace: demoNamespace } } };
  });
}

const simWorthTrying = z.object({
  kind: z.literal('Sim'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    iccid: z.string(),
    activated: z.literal(true),
    carriers: z.array(z.object({ allow: z.boolean() })).min(2),
    passCodeSecretRef: z.unknown(),
    managementPolicy: z.literal('Manage').optional(),
  }),
});

/** The first Sim that is made and not taken over, active, with carriers: there is most to be seen with it. */
export function simToTry(manifests: readonly Manifest[]): HintSim | undefined {
  for (const { object } of manifests) {
    const { data } = simWorthTrying.safeParse(object);
    const second = data?.spec.carriers[1];
    if (data?.spec.passCodeSecretRef === undefined || second === undefined) continue;
    return { name: data.metadata.name, iccid: data.spec.iccid, secondCarrierAllowed: second.allow };
  }
  return undefined;
}
