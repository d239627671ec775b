import * as z from 'zod';
import { kindDefinitions } from '../../src/kinds/index.ts';
import { toCustomResourceDefinition } from '../../src/kubernetes/crd.ts';
import { createApiserver, type StoredObject } from '../../src/shadow/apiserver/apiserver.ts';
import { createService } from '../../src/shadow/service/service.ts';
import type { Service, ServiceOptions, ServiceRequest } from '../../src/shadow/service/types.ts';
import { createRandom } from '../../src/shadow/world/random.ts';
import { createWorld, type World } from '../../src/shadow/world/world.ts';

const USER = 'user';
const GROUP = '/apis/edgeline.dev/v1alpha1';
const MANAGED = ['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates'];

/** A cluster and a service in virtual time, where nothing goes wrong, with an account and a gateway `depot` for each namespace. */
export interface VirtualFleet {
  readonly world: World;
  /** Makes an object as a user does; throws unless it is made. */
  create(path: string, manifest: object): void;
  /** Puts a Sim into a namespace; its SIM has the ICCID of this number. */
  createSim(namespace: string, name: string, number: number, spec?: object): void;
  /** Changes an object as a user does; throws unless it is taken. */
  patch(path: string, patch: object): void;
  /** An object as it is now; throws where there is none. */
  read(path: string): z.infer<typeof readSchema>;
  /** Names of the resources of a plural, `sims` by default, that are not Ready and Synced as their spec is now. */
  waiting(namespace: string, plural?: string): ReadonlySet<string>;
}

/** What a test looks at of an object. */
const readSchema = z.object({
  metadata: z.object({ uid: z.string(), finalizers: z.array(z.string()).optional() }),
  spec: z.unknown(),
  status: z
    .looseObject({
      id: z.string().optional(),
      createdAt: z.string().optional(),
      conditions: z.array(z.looseObject({ type: z.string(), status: z.string(), reason: z.string() })).default([]),
    })
    .default({ conditions: [] }),
});

export const iccidOf = (number: number) => `8981040000${String(number).padStart(9, '0')}`;

/** `seeds`: by namespace, what its account has at the service. `limits` and `cloudLimit`: of the accounts, and of the service. */
export function createVirtualFleet(options: {
  readonly seeds: NonNullable<ServiceOptions['seed']>;
  readonly limits?: object;
  readonly cloudLimit?: number;
  /** How the service behaves. */
  readonly settings?: ServiceOptions['settings'];
  /** All namespaces use a ClusterCloudAccount, which is that of this one. */
  readonly shared?: string;
  /** What the service answers to some requests, without doing anything. */
  readonly broken?: (request: ServiceRequest) => Exclude<ReturnType<Service['handle']>, 'cut' | 'stall'> | undefined;
}): VirtualFleet {
  const random = createRandom('fleet');
  const namespaces = Object.keys(options.seeds);
  const world = createWorld({
    random,
    apiserver: (now, chance) => {
      const uids = chance.fork('uids');
      return createApiserver({
        now,
        uid: () => `${uids.int(2 ** 32)}-${uids.int(2 ** 32)}`,
        definitions: kindDefinitions.map(toCustomResourceDefinition),
      });
    },
    service(now, chance) {
      const service = createService({
        now,
        random: chance.next,
        // Each has a second token, for those that are exchanged.
        accounts: namespaces.flatMap((name) => [
          { name, accessToken: `token-${name}`, accessTokenSecret: `secret-${name}` },
          {
            name: `${name}-2`,
            accessToken: `token-${name}-2`,
            accessTokenSecret: `secret-${name}-2`,
            sameAs: name,
          },
        ]),
        settings: { pageLimit: 1000, cloudLimit: options.cloudLimit ?? null, ...options.settings },
        seed: options.seeds,
      });
      const { handle } = service;
      return Object.assign(service, {
        handle: (...of: Parameters<typeof handle>) => options.broken?.(of[0]) ?? handle(...of),
      });
    },
  });
  world.calm();
  const waiting = new Map(
    namespaces.flatMap((name) => MANAGED.map((plural) => [`${name}/${plural}`, new Set<string>()] as const)),
  );
  world.apiserver.onChange(({ resource, old, new: object }) => {
    const { namespace, name = '' } = (object ?? old)?.metadata ?? {};
    const names = waiting.get(`${namespace}/${resource}`);
    if (!object || isDone(object)) names?.delete(name);
    else names?.add(name);
  });

  function ask(method: 'POST' | 'PATCH', path: string, body: object): void {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = world.apiserver.handle({ method, path, contentType, user: USER, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  }
  function account(kind: string, path: string, more: object = {}): void {
    ask('POST', path, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind,
      metadata: { name: 'default' },
      spec: {
        baseURL: 'https://service.example',
        credentialsSecretRef: { name: 'credentials' },
        ...(options.limits && { limits: options.limits }),
        ...more,
      },
    });
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  ask('POST', '/api/v1/namespaces', { metadata: { name: 'edgeline-system' } });
  for (const namespace of namespaces) {
    ask('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const credentials = { accessToken: base64(`token-${namespace}`), accessTokenSecret: base64(`secret-${namespace}`) };
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    ask('POST', secrets, { metadata: { name: 'credentials' }, data: credentials });
    ask('POST', secrets, { metadata: { name: 'pass-codes' }, data: { code: base64('virtual-pass-code') } });
    if (options.shared === undefined) account('CloudAccount', `${GROUP}/namespaces/${namespace}/cloudaccounts`);
  }

  const secretNamespace = options.shared;
  if (secretNamespace !== undefined) {
    account('ClusterCloudAccount', `${GROUP}/clustercloudaccounts`, { secretNamespace });
  }

  return {
    world,
    create: (path, manifest) => ask('POST', path, manifest),
    createSim(namespace, name, number, spec = {}) {
      ask('POST', `${GROUP}/namespaces/${namespace}/sims`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'Sim',
        metadata: { name },
        spec: { iccid: iccidOf(number), ...spec },
      });
    },
    patch: (path, patch) => ask('PATCH', path, patch),
    read(path) {
      const answer = world.apiserver.handle({ method: 'GET', path, user: USER });
      return readSchema.parse(JSON.parse('body' in answer ? answer.body : ''));
    },
    waiting: (namespace, plural = 'sims') => waiting.get(`${namespace}/${plural}`) ?? new Set(),
  };
}

const statusSchema = z.object({
  conditions: z.array(z.object({ type: z.string(), status: z.string(), observedGeneration: z.int() })).default([]),
});

/** In service and as its spec is now. */
function isDone({ metadata, status }: StoredObject): boolean {
  const { conditions } = statusSchema.parse(status ?? {});
  return ['Ready', 'Synced'].every((type) =>
    conditions.some(
      (one) => one.type === type && one.status === 'True' && one.observedGeneration === metadata.generation,
    ),
  );
}
