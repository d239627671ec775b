import * as z from 'zod';
import { dialectNames } from '../../cloud/dialect.ts';
import { authenticationSchemes } from '../../cloud/http/authenticator.ts';
import { DEFAULT_REQUESTS_PER_SECOND } from '../../cloud/limiter/limits.ts';
import { validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { Condition, KubernetesObject } from '../../kubernetes/objects.ts';
import { readyColumns } from '../common/columns.ts';
import { isURLPort } from '../common/rules.ts';
import { edgelineAPI, secretKeyRef, secretName } from '../common/schema.ts';
import { approval, brakes } from './holding-schema.ts';
import { cloudAccountStatus } from './status-schema.ts';

const accountFields = {
  baseURL: z
    .string()
    .min(1)
    .max(512)
    .describe('Scheme and host of the service, for example https://api.example.jp. HTTPS only.')
    .meta(
      validations(
        {
          rule: "!self.startsWith('http://')",
          message: 'baseURL must begin with https://: the service is reached over TLS only',
        },
        {
          rule: "self.startsWith('http://') || self.matches('^https://([^/?#@:\\\\s\\\\[\\\\]]+|\\\\[[0-9A-Fa-f:.]+\\\\])(:[0-9]+)?/?$')",
          message:
            'baseURL must be https:// and a host, without path, query, user or spaces, for example https://api.example.jp',
        },
        isURLPort('baseURL'),
      ),
    ),
  credentialsSecretRef: z
    .object({ name: secretName.describe('Name of the Secret.') })
    .describe('The Secret with the API key: keys accessToken and accessTokenSecret.'),
  authentication: z
    .enum(authenticationSchemes)
    .optional()
    .describe('How requests are authenticated. Without it, Basic.'),
  caBundleSecretRef: secretKeyRef
    .optional()
    .describe(
      'A PEM bundle of certificate authorities to trust in addition to the system’s. Without it, only the system’s.',
    ),
  dialect: z
    .enum(dialectNames)
    .optional()
    .describe(
      'Documented: exactly the published interface (the default). Extended: what the public clients of the service use, with more operations.',
    ),
  limits: z
    .object({
      webAccelRequestsPerHour: z
        .int()
        .min(1)
        .max(500)
        .optional()
        .describe(
          'Maximum number of web acceleration requests in any rolling hour. With fewer than 5, changes may wait for many hours. Without it, 500, the service’s own limit.',
        ),
      cloudRequestsPerSecond: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe(
          `Maximum number of requests a second for SIMs, gateways and servers. Without it, ${DEFAULT_REQUESTS_PER_SECOND}. While the service says that it has too much to do, fewer go.`,
        ),
    })
    .optional()
    .describe('How much of the service this account may use.'),
  brakes,
  approval,
};

/** The spec of a CloudAccount. */
export const cloudAccountSpec = z.object(accountFields).describe('How to reach one account of the service.');

/** As Kubernetes has them: a name, before it a domain and a slash. */
const LABEL_VALUE = '^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$';
const LABEL_KEY = '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$';

const labelSelector = z
  .object({
    matchLabels: z
      .record(z.string().max(317), z.string().max(63))
      .optional()
      .describe('Labels that must all be there.')
      .meta({
        maxProperties: 32,
        ...validations(
          {
            rule: `self.all(key, key.matches('${LABEL_KEY}'))`,
            message: 'matchLabels has a key that no label can have: write for example team or example.jp/team',
          },
          {
            rule: `self.all(key, self[key].matches('${LABEL_VALUE}'))`,
            message:
              'matchLabels has a value that no label can have: letters, digits, "-", "_" and "." only, as in trucks-east',
          },
        ),
      }),
    matchExpressions: z
      .array(
        z
          .object({
            key: z
              .string()
              .max(317)
              .describe('Label key.')
              .meta(
                validations({
                  rule: `self.matches('${LABEL_KEY}')`,
                  message: 'key must be one that a label can have: write for example team or example.jp/team',
                }),
              ),
            operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']).describe('How the label is compared.'),
            values: z
              .array(z.string().max(63))
              .max(64)
              .optional()
              .describe('Values for In and NotIn.')
              .meta({
                'x-kubernetes-list-type': 'atomic',
                ...validations({
                  rule: `self.all(value, value.matches('${LABEL_VALUE}'))`,
                  message:
                    'values has one that no label can have: letters, digits, "-", "_" and "." only, as in trucks-east',
                }),
              }),
          })
          .meta(
            validations(
              {
                rule: "!(self.operator in ['In', 'NotIn']) || (has(self.values) && self.values.size() > 0)",
                message: 'In and NotIn need values: name the values the label is compared with',
                fieldPath: '.operator',
              },
              {
                rule: "!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || self.values.size() == 0",
                message: 'Exists and DoesNotExist take no values: remove them, or write In or NotIn',
                fieldPath: '.operator',
              },
            ),
          ),
      )
      .max(32)
      .optional()
      .describe('Conditions on labels that must all hold.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
  })
  .describe('Which namespaces may use the account. Without it, all.');

/** The spec of a ClusterCloudAccount. */
export const clusterCloudAccountSpec = z
  .object({
    ...accountFields,
    secretNamespace: z.string().min(1).max(63).describe('Namespace of the Secrets this account names.'),
    namespaceSelector: labelSelector.optional(),
  })
  .describe('How to reach one account of the service, for several namespaces.');

export type CloudAccountSpec = z.infer<typeof cloudAccountSpec>;
export type ClusterCloudAccountSpec = z.infer<typeof clusterCloudAccountSpec>;

/** An account of either kind, as the apiserver stores it. */
export interface Account extends KubernetesObject {
  spec: CloudAccountSpec & Partial<Pick<ClusterCloudAccountSpec, 'secretNamespace' | 'namespaceSelector'>>;
  status?: Omit<z.infer<typeof cloudAccountStatus>, 'conditions'> & { conditions?: Condition[] | undefined };
}

const common = {
  ...edgelineAPI,
  shortNames: [],
  status: cloudAccountStatus,
  selectable: ['.spec.baseURL', '.spec.credentialsSecretRef.name'],
  columns: [
    { name: 'URL', type: 'string', jsonPath: '.spec.baseURL', description: 'Base URL of the service' },
    { name: 'Sims', type: 'integer', jsonPath: '.status.resources.sims', description: 'Sims that use the account' },
    {
      name: 'Budget-Used',
      type: 'integer',
      jsonPath: '.status.budget.used',
      description: 'Web acceleration requests in the last hour',
    },
    {
      name: 'Budget-Limit',
      type: 'integer',
      jsonPath: '.status.budget.limit',
      description: 'Most of them in any rolling hour',
    },
    ...readyColumns('Whether the service accepts the credentials'),
  ],
} satisfies Partial<KindDefinition>;

export const cloudAccountDefinition: KindDefinition = {
  ...common,
  kind: 'CloudAccount',
  plural: 'cloudaccounts',
  singular: 'cloudaccount',
  scope: 'Namespaced',
  description: 'An account of the service, for the resources of its namespace.',
  spec: cloudAccountSpec,
};

export const clusterCloudAccountDefinition: KindDefinition = {
  ...common,
  kind: 'ClusterCloudAccount',
  plural: 'clustercloudaccounts',
  singular: 'clustercloudaccount',
  scope: 'Cluster',
  description: 'An account of the service, for resources of several namespaces.',
  spec: clusterCloudAccountSpec,
};

export const cloudAccountResource = resourceOf(cloudAccountDefinition);
export const clusterCloudAccountResource = resourceOf(clusterCloudAccountDefinition);
