import {
  ConfigurationError,
  ConflictError,
  RejectedError,
  ThrottledError,
  UnexpectedResponseError,
} from '../../../../src/cloud/errors.ts';
import type { AccountHold } from '../../../../src/kinds/cloud-account/reasons.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { accountStatus } from '../../../../src/kinds/cloud-account/status.ts';
import { accountFailure } from '../../../../src/kinds/cloud-account/trouble.ts';
import type { Verdict } from '../../../../src/reconcile/conditions.ts';
import { SecretUnreadableError } from '../../../../src/reconcile/secrets.ts';
import { accountBraked } from '../braked.ts';
import { type HealthCase, leaving, metadataOf, now, secretForbidden } from '../case.ts';
import { missing } from '../losses.ts';

const details = { route: 'GET /commonserviceitem' };

function told(kind: 'CloudAccount' | 'ClusterCloudAccount', hold: AccountHold | undefined, braked?: Verdict): Account {
  const account: Account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind,
    metadata: metadataOf('default'),
    spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'service-credentials' } },
  };
  const users = { sims: 1, gateways: 0, sites: 0, certificates: 0 };
  return {
    ...account,
    status: accountStatus(
      account,
      { hold, generation: 1, braked, budget: undefined, identity: undefined, users, now },
      undefined,
    ),
  };
}

const failed = (error: Error) => told('CloudAccount', accountFailure(error).hold);

/** Accounts. */
export const accountCases: readonly HealthCase[] = [
  { title: 'an account that works', object: told('CloudAccount', undefined) },
  { title: 'an account of the cluster that works', object: told('ClusterCloudAccount', undefined) },
  {
    title: 'an account that can’t be used as it is',
    object: failed(new ConfigurationError('baseURL is no URL', 'Correct it.', { route: '' })),
  },
  {
    title: 'an account that has used up what it may ask for',
    object: failed(new ThrottledError('too many requests', 'Nothing to do.', details)),
  },
  {
    title: 'an account whose service refuses',
    object: failed(new RejectedError('bad request', 'Check baseURL.', details)),
  },
  { title: 'an account whose service is busy', object: failed(new ConflictError('busy', 'Nothing to do.', details)) },
  { title: 'an account whose Secret may not be read', object: failed(secretForbidden) },
  { title: 'an account whose Secret cannot be read', object: failed(new SecretUnreadableError('no key', 'See why.')) },
  {
    title: 'an account whose service is something else',
    object: failed(new UnexpectedResponseError('no list', 'Check baseURL.', { ...details, path: '(body)' })),
  },
  {
    title: 'an account in which deletions are held',
    object: told('CloudAccount', undefined, accountBraked('Deletion')),
  },
  {
    title: 'an account in which creations are held',
    object: told('CloudAccount', undefined, accountBraked('Creation')),
  },
  {
    title: 'an account that goes, and whose hour can’t be put on record',
    object: leaving(
      told('CloudAccount', { state: 'Waiting', reason: 'HourNotRecorded', message: 'The Lease can’t be written.' }),
    ),
  },
  {
    title: 'an account that only a finalizer of somebody else keeps',
    object: leaving(told('CloudAccount', { state: 'Suspended', reason: 'LetGo', message: 'It stays for others.' })),
  },
  { title: 'an account in which much is missing', object: told('CloudAccount', missing(false)) },
  { title: 'an account that is another than it was', object: told('CloudAccount', missing(true)) },
];
