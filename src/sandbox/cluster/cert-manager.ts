import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { certManagerFiles, certManagerTool } from '../build/cert-manager.ts';
import { ensureTool } from '../build/go-tool.ts';
import { CertManagerUnavailable } from '../errors.ts';
import { endOfLog } from '../processes/operator-process.ts';
import type { Processes, SandboxProcess } from '../processes/processes.ts';
import type { Cluster } from './cluster.ts';
import { examplesIn } from './examples.ts';
import { install } from './installation.ts';
import { type Manifest, readManifests } from './manifests.ts';

/** A cert-manager that can be installed. */
export interface CertManager {
  readonly program: string;
  readonly crds: readonly Manifest[];
}

/** @throws {CertManagerUnavailable} when it isn't built, and can't be. */
export async function ensureCertManager(options: {
  readonly progress: (line: string) => void;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly processes?: Processes;
  readonly signal?: AbortSignal;
}): Promise<CertManager> {
  const { directory } = await ensureTool(certManagerTool(), options);
  return {
    program: join(directory, certManagerFiles.program),
    crds: readManifests(join(directory, certManagerFiles.crds)),
  };
}

/**
 * Puts cert-manager's CRDs into a cluster and starts its controllers for one namespace, as a process of ours.
 *
 * @param options.kubeconfig the administrator's.
 * @throws {CertManagerUnavailable} when it ends at once, with what it said.
 */
export async function startCertManager(
  cluster: Cluster,
  { program, crds }: CertManager,
  options: {
    readonly kubeconfig: string;
    readonly namespace: string;
    readonly logFile: string;
    readonly processes: Processes;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
): Promise<SandboxProcess> {
  const { kubeconfig, namespace, logFile, processes, clock, signal } = options;
  await install(cluster, { namespaces: [], crds, rbac: [] }, { clock, signal });
  signal.throwIfAborted();
  const process = await processes.start({
    name: 'cert-manager',
    command: program,
    args: ['--exit-on-eof', `--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`],
    output: { file: logFile },
  });
  const settled = await Promise.race([process.exited, clock.sleep(200, signal)]);
  if (settled === undefined) return process;
  throw new CertManagerUnavailable(
    ['cert-manager ended at once:', endOfLog(logFile)].join('\n'),
    'Look at its last words above.',
  );
}

/** Does a cluster that was there before have a cert-manager? @throws {CertManagerUnavailable} when not. */
export async function requireCertManager(cluster: Cluster): Promise<void> {
  const found = await cluster.read({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'certificates.cert-manager.io' },
  });
  if (found) return;
  throw new CertManagerUnavailable(
    'The cluster has no cert-manager',
    'Install it there (https://cert-manager.io/docs/installation), or leave --kubeconfig out: the sandbox’s own cluster gets one.',
  );
}

/** The Issuers and Certificates beside the examples, in the sandbox's namespace. */
export function certManagerExamples(examples: string): Manifest[] {
  const directory = join(examples, 'cert-manager');
  if (existsSync(directory)) return examplesIn(directory);
  throw new CertManagerUnavailable(
    `There is no ${directory}`,
    'Put the Issuer and the Certificates there that keep the Secrets of the SiteCertificates, or leave --cert-manager out.',
  );
}
