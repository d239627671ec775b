import { beforeAll, describe, expect, it } from 'vitest';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { isNotFound } from '../../../src/kubernetes/errors.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { kubernetesMinor } from '../../support/control-plane.ts';
import { allDefinitions } from '../../support/definitions.ts';
import { apply, eventually, testNamespace } from '../../support/kubernetes.ts';
import { connect } from './support.ts';

const GROUP = 'ratcheting.example.com';
const secret = { name: 'service-credentials' };

/** A spec that was stored before there were rules, and that each of them would refuse today. */
interface Old {
  readonly kind: string;
  readonly spec: object;
  /** Edits of what is right, where that is not part of what is wrong, and at last one of what is wrong. */
  readonly edits: readonly object[];
}

const old: readonly Old[] = [
  {
    kind: 'Sim',
    spec: { iccid: '8981040000000000017', gatewayRef: { name: 'depot' }, ipAddress: '224.0.0.1', displayName: 'a\nb' },
    edits: [{ activated: true }, { ipAddress: '10.0.0.17', displayName: 'a' }],
  },
  {
    kind: 'MobileGateway',
    spec: {
      zone: 'is1b',
      displayName: 'a\n',
      privateInterface: { ipAddress: '10.0.0.0', networkMaskLength: 24 },
      dns: { primary: '0.0.0.0', secondary: '127.0.0.1' },
    },
    edits: [{ internetConnection: true }, { privateInterface: { ipAddress: '10.0.0.1' } }],
  },
  {
    kind: 'MobileGateway',
    spec: {
      zone: 'is1b',
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      staticRoutes: [{ prefix: '10.0.0.0/24', nextHop: '10.0.9.1' }],
      simRoutes: [{ prefix: '10.0.0.0/24', simRef: { name: 'truck-17' } }],
    },
    edits: [{ staticRoutes: null, simRoutes: null }],
  },
  {
    kind: 'WebAccelSite',
    spec: {
      domain: 'www.example.jp ',
      origin: { webServer: { host: 'user:password@origin.example.jp', hostHeader: 'a b' } },
      cors: { allowedOrigins: ['*'] },
    },
    edits: [{ vary: true }, { origin: { webServer: { host: 'origin.example.jp' } } }],
  },
  {
    kind: 'SiteCertificate',
    spec: { siteID: 'a b', secretRef: secret },
    edits: [{ allowRollback: true }, { secretRef: { name: 'other' } }],
  },
  {
    kind: 'CloudAccount',
    spec: { baseURL: 'https://api.example.jp:99999 ', credentialsSecretRef: secret },
    edits: [{ dialect: 'Extended' }, { baseURL: 'https://api.example.jp' }],
  },
  {
    kind: 'ClusterCloudAccount',
    spec: {
      baseURL: 'https://api.example.jp:99999 ',
      credentialsSecretRef: secret,
      secretNamespace: 'default',
      namespaceSelector: { matchExpressions: [{ key: 'a b', operator: 'In' }], matchLabels: { 'a b': 'c d' } },
    },
    edits: [{ dialect: 'Extended' }, { baseURL: 'https://api.example.jp' }],
  },
];

const client = await connect();
let namespace: string;

const definitionOf = (kind: string) => {
  const definition = allDefinitions.find((one) => one.kind === kind);
  if (!definition) throw new Error(`there is no ${kind}`);
  return { ...definition, group: GROUP, categories: [], shortNames: [] };
};

function withoutRules(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRules);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name]) => name !== 'x-kubernetes-validations');
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutRules(value)]));
}

beforeAll(async () => {
  namespace = await testNamespace('ratcheting');
});

describe('of what was stored before a rule came that refuses it', () => {
  it.each(old)(
    '$kind: finalizers are written, of Kubernetes 1.33 and newer the status, too, and what is right changes',
    async (one) => {
      const definition = definitionOf(one.kind);
      const { version, plural, kind, scope } = definition;
      const resource: Resource = { group: GROUP, version, plural, kind, namespaced: scope === 'Namespaced' };
      const place = resource.namespaced ? namespace : undefined;
      const make = (name: string) =>
        client.create<KubernetesObject>(resource, place, { metadata: { name }, spec: one.spec });
      const patch = (change: object, subresource?: 'status') =>
        client.mergePatch<KubernetesObject>(
          resource,
          place,
          'stored',
          change,
          subresource ? { subresource } : undefined,
        );

      await apply(Object(withoutRules(toCustomResourceDefinition(definition))));
      await eventually(() => make('stored'));
      await apply(toCustomResourceDefinition(definition));
      await eventually(() => expect(make(`late-${Date.now()}`)).rejects.toMatchObject({ reason: 'Invalid' }));

      await patch({ metadata: { finalizers: ['edgeline.dev/adopt'], annotations: { 'edgeline.dev/paused': 'true' } } });
      // Before 1.33 a write of the status has the rules of the spec kept, though it does not change the spec.
      const status = patch({ status: { observedGeneration: 1 } }, 'status').then(
        () => 'written',
        ({ reason }) => reason,
      );
      expect(await status).toBe(kubernetesMinor() < 33 ? 'Invalid' : 'written');
      for (const [index, spec] of one.edits.entries()) {
        expect((await patch({ spec })).metadata.generation).toBe(index + 2);
      }
      await client.delete(resource, place, 'stored');
      await patch({ metadata: { finalizers: null } });
      await expect(client.get(resource, place, 'stored')).rejects.toSatisfy(isNotFound);
    },
  );
});
