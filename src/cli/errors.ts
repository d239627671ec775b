import { EdgelineError } from '../errors.ts';
import { codeOf } from '../file-errors.ts';
import { KubeconfigError, KubeError } from '../kubernetes/errors.ts';
import { EVENTS, type Resource } from '../kubernetes/resource.ts';
import { byUntrustedCode } from '../tls-errors.ts';
import { harmless } from './text/harmless.ts';

/** What was typed cannot be meant. */
export class UsageError extends EdgelineError {
  readonly code = 'Usage';
}

/** The cluster did not give what a command needs; it says what a person can do, in the words of kubectl. */
export class ClusterError extends EdgelineError {
  readonly code = 'Cluster';
}

/** What was asked of the cluster, and where. */
export interface Attempt {
  readonly verb: 'get' | 'list' | 'watch' | 'patch';
  readonly resource: Resource;
  readonly subresource?: 'status';
  /** Undefined: everywhere, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  /** As a person typed it. */
  readonly labelSelector?: string | undefined;
  /** The apiserver asked. */
  readonly server: string;
}

/** What a person is told of a failed request: to whom it was, what is missing, and what to do. */
export function clusterError(error: unknown, attempt: Attempt): unknown {
  if (error instanceof KubeconfigError || !(error instanceof KubeError)) return error;
  const { verb, resource, namespace, name, server } = attempt;
  const of = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  const what = attempt.subresource === undefined ? of : `${of}/${attempt.subresource}`;
  const where =
    namespace === undefined ? (resource.namespaced ? 'in all namespaces' : '') : `in namespace ${namespace}`;
  const cause = { cause: error };
  if (error.status === 403) {
    const flag = namespace === undefined ? (resource.namespaced ? ' -A' : '') : ` -n ${namespace}`;
    const asked = attempt.subresource === undefined ? of : `${of} --subresource=${attempt.subresource}`;
    return new ClusterError(
      `you may not ${verb} ${[what, where].filter(Boolean).join(' ')}`,
      `Ask whoever manages the cluster for "${verb}" on ${what}${roleFor(attempt)}; \`kubectl auth can-i ${verb} ${asked}${flag}\` says whether you have it.`,
      cause,
    );
  }
  if (error.status === 404 && name === undefined) {
    return new ClusterError(
      `the cluster at ${server} has no CustomResourceDefinition ${what}`,
      'Install Edgeline (docs/install-helm.md or docs/install-kustomize.md), or name another cluster with --context.',
      cause,
    );
  }
  if (error.status === 404) {
    const list = `kubectl get ${resource.plural}${namespace === undefined ? '' : ` -n ${namespace}`}`;
    return new ClusterError(
      `there is no ${resource.kind} ${harmless(name ?? '')}${namespace === undefined ? '' : ` in namespace ${namespace}`}`,
      `Check the name and the namespace: \`${list}\` lists what there is.`,
      cause,
    );
  }
  if (error.status === 400 && attempt.labelSelector !== undefined) {
    return new UsageError(
      `the selector "${harmless(attempt.labelSelector)}" is not one`,
      "Write it as kubectl takes it, for example -l team=east or -l 'team in (east, west),!spare'.",
      cause,
    );
  }
  return (
    unreached(error, server) ?? new ClusterError(harmless(`${verb} ${what}: ${error.message}`), error.advice, cause)
  );
}

/** The apiserver did not answer, or not to whoever asks, whatever was asked; undefined: it did. */
export function unreached(error: KubeError, server: string): ClusterError | undefined {
  const cause = { cause: error };
  if (error.status === 401)
    return new ClusterError(
      `the Kubernetes API server ${server} refused the credentials of the kubeconfig`,
      'Log in again, or name another context with --context; `kubectl auth whoami` shows the same.',
      cause,
    );
  const mistake = error.status === 0 ? mistakes[String(codeOf(error.cause))] : undefined;
  if (mistake)
    return new ClusterError(
      `no TLS connection to the Kubernetes API server ${server} can be made: ${mistake.what}`,
      `Check ${mistake.member} in the kubeconfig, or log in to the cluster again, which writes a new one.`,
      cause,
    );
  if (error.status === 0)
    return new ClusterError(
      harmless(`the Kubernetes API server ${server} did not answer: ${error.message.replace(NO_ANSWER, '')}`),
      'Check that the cluster is up and can be reached from here (`kubectl cluster-info`), or name another with --context.',
      cause,
    );
  return undefined;
}

/** What of a kubeconfig is amiss where a TLS connection cannot be made. */
interface Mistake {
  readonly what: string;
  /** Where it is in the kubeconfig. */
  readonly member: string;
}

const untrusted: Mistake = {
  what: 'its certificate is not from an authority that the kubeconfig trusts',
  member: 'certificate-authority-data of the cluster',
};
const noCertificate: Mistake = {
  what: 'the client certificate is no certificate in PEM',
  member: 'client-certificate-data of the user',
};

/** By the code of the error: its text speaks of OpenSSL and Node. */
const mistakes: Readonly<Record<string, Mistake>> = {
  ...byUntrustedCode(untrusted),
  ERR_OSSL_UNSUPPORTED: { what: 'the client key is no key in PEM', member: 'client-key-data of the user' },
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: {
    what: 'the client key is not that of the client certificate',
    member: 'client-key-data and client-certificate-data of the user',
  },
  ERR_OSSL_PEM_NO_START_LINE: noCertificate,
  ERR_OSSL_ASN1_WRONG_TAG: noCertificate,
};

/** How such an error begins, which would say it twice. */
const NO_ANSWER = 'no answer from the Kubernetes API server: ';

/** Of what there is in these, those roles have everything that a command reads. */
const ROLE_GROUPS: readonly string[] = ['edgeline.dev', EVENTS.group];

/** Which of the roles that come with Edgeline has a permission. */
function roleFor({ verb, resource }: Attempt): string {
  if (!ROLE_GROUPS.includes(resource.group)) return '';
  if (verb !== 'patch') return ' (the ClusterRole edgeline-view has it)';
  return resource.namespaced ? ' (the ClusterRole edgeline-edit has it)' : '';
}
