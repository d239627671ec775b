import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KindDefinition } from '../../../src/kubernetes/crd.ts';
import { resourceOf } from '../../../src/kubernetes/crd.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { fitOf } from '../../../src/kubernetes/fit.ts';
import { allDefinitions } from '../../support/definitions.ts';
import { extremesOf } from '../../support/extremes.ts';
import { createWorld } from '../../support/world.ts';

const credentialsSecretRef = { name: 'credentials' };
const specs: Readonly<Record<string, object>> = {
  CloudAccount: { baseURL: 'https://service.example.jp', credentialsSecretRef },
  ClusterCloudAccount: {
    baseURL: 'https://service.example.jp',
    secretNamespace: 'nowhere',
    credentialsSecretRef,
    namespaceSelector: { matchLabels: { no: 'namespace' } },
  },
  Sim: { iccid: '8981040000000000017' },
  MobileGateway: { zone: 'is1a' },
  WebAccelSite: { domain: 'www.example.jp' },
  SiteCertificate: { siteRef: { name: 'www' }, secretRef: { name: 'www' } },
};

it.each(allDefinitions.map((definition) => [definition.kind, definition] as const))(
  'the apiserver stores whatever status of a %s the operator may come to, once it is made to fit',
  async (kind, definition) => {
    const world = await createWorld({ account: false });
    const name = `extreme-${world.namespace}`;
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name }, spec: specs[kind] });
    const resource = resourceOf(definition);
    const store = async (status: object) => {
      await world.client.mergePatch(
        resource,
        resource.namespaced ? world.namespace : undefined,
        name,
        { status: null },
        { subresource: 'status' },
      );
      await world.client.mergePatch(
        resource,
        resource.namespaced ? world.namespace : undefined,
        name,
        { status },
        { subresource: 'status' },
      );
    };
    const fit = fitOf(definition, []);
    let refused = 0;
    for (const extreme of extremes(definition)) {
      await store(extreme).catch((error: unknown) => {
        if (error instanceof KubeError && error.reason === 'Invalid') refused++;
      });
      await store(fit(extreme));
    }
    expect(refused).toBeGreaterThan(0);
    await world.delete(kind, name);
    await world.stop();
  },
);

function extremes(definition: KindDefinition): Record<string, unknown>[] {
  return fc.sample(extremesOf(definition), { numRuns: 25, seed: 7 });
}
