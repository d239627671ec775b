import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { accountManifests } from './cluster/account-manifests.ts';
import {
  certManagerExamples,
  ensureCertManager,
  requireCertManager,
  startCertManager,
} from './cluster/cert-manager.ts';
import { demoCertificates } from './cluster/demo-certificates.ts';
import { examplesIn, simToTry } from './cluster/examples.ts';
import { type Installation, install, readInstallation, withoutForeign } from './cluster/installation.ts';
import type { Manifest } from './cluster/manifests.ts';
import { resourceOfCRD, uninstall } from './cluster/uninstall.ts';
import { wantedCertificates } from './cluster/wanted-certificates.ts';
import { writeOperatorKubeconfig } from './control-plane/operator-kubeconfig.ts';
import type { DataDirectory } from './data-directory.ts';
import { type HintSim, meanwhileHints } from './display/hints.ts';
import type { Watched } from './display/watch-resources.ts';
import { SandboxFailed } from './errors.ts';
import { demoNamespace, operator as operatorNames } from './names.ts';
import { packageRoot } from './package-root.ts';
import { freePort } from './processes/free-port.ts';
import { keepOperator } from './processes/kept-operator.ts';
import { startOperatorProcess } from './processes/operator-process.ts';
import type { Processes, SandboxProcess } from './processes/processes.ts';
import { type SimulatorProcess, startSimulatorProcess } from './processes/simulator-process.ts';
import { existingPlace, ownPlace, type Place } from './where.ts';

/** A control plane that takes longer than this is being built, for minutes. */
const MEANWHILE_MILLISECONDS = 10_000;

/** A sandbox that is up: the operator works, and everything has been applied. */
export interface Session {
  readonly place: Place;
  readonly simulator: SimulatorProcess;
  readonly operator: SandboxProcess;
  readonly operatorLog: string;
  /** Its address. */
  readonly statusPage: string;
  /** Undefined when there is none, or it's the cluster's own. */
  readonly certManager: SandboxProcess | undefined;
  readonly certManagerLog: string;
  /** What is to become Ready. */
  readonly watched: readonly Watched[];
  /** A Sim of the examples to try things on. */
  readonly sim: HintSim | undefined;
  /** When the control plane answered, monotonic milliseconds. */
  readonly upAt: number;
}

export interface SessionOptions {
  /** Of the cluster to use; undefined: one of the sandbox's own. */
  readonly kubeconfig: string | undefined;
  readonly examples: string;
  /** Let cert-manager keep the certificates of the examples; without, the sandbox makes them once. */
  readonly certManager: boolean;
  readonly directory: DataDirectory;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly random: () => number;
  /** Gives up. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Takes what has to be done at the end; the last is done first. */
  readonly atEnd: (undo: () => Promise<void>) => void;
}

/**
 * Brings everything up, as much of it at once as can be.
 *
 * @throws EdgelineError saying which step failed.
 */
export async function bringUp(options: SessionOptions): Promise<Session> {
  const { directory, processes, clock, signal, say, atEnd } = options;
  const installation = readInstallation();
  const kinds = installation.crds.map(resourceOfCRD);
  const examples = examplesIn(options.examples);
  const certificates = options.certManager
    ? certManagerExamples(options.examples)
    : await demoCertificates(wantedCertificates(examples), clock.now());

  const simulatorStarts = startSimulatorProcess({
    processes,
    stateFile: directory.file('simulator.json'),
    caFile: directory.file('simulator-ca.crt'),
    seedFile: join(packageRoot(), 'deploy', 'sandbox', 'seed.yaml'),
  });
  const placeIsUp = options.kubeconfig === undefined ? ownPlace(options) : existingPlace(options.kubeconfig, options);
  const bringsCertManager = options.certManager && options.kubeconfig === undefined;
  const certManagerBuilt = bringsCertManager
    ? ensureCertManager({ progress: say, clock, env: process.env, processes, signal })
    : Promise.resolve(undefined);
  // When one of them fails the others are still under way: they have to come to their end before the files go.
  atEnd(async () => void (await Promise.allSettled([simulatorStarts, placeIsUp, certManagerBuilt])));
  void simulatorStarts.then(({ baseURL }) => signal.aborted || say(`simulator: ${baseURL}`)).catch(() => undefined);
  const cancelMeanwhile = clock.after(MEANWHILE_MILLISECONDS, () => {
    void simulatorStarts
      .then((simulator) => signal.aborted || meanwhileHints(simulator).forEach((line) => say(line)))
      .catch(() => undefined);
  });

  const place = await placeIsUp.finally(cancelMeanwhile);
  const { cluster } = place;
  atEnd(() => cluster.client.close());
  const certManager = await certManagerBuilt;
  const upAt = clock.monotonic();
  say(`control plane: ${cluster.connection.server}`);
  const missing = place.existing ? await withoutForeign(cluster, installation) : installation;
  const simulator = await simulatorStarts;
  const operatorRuns = Promise.withResolvers<SandboxProcess>();
  const keeps = !directory.temporary;
  if (options.certManager && place.existing) await requireCertManager(cluster);
  if (place.existing) {
    for (const line of announcement(place, installation, missing, keeps)) say(line);
    if (!keeps) atEnd(() => clearUp(place, missing, kinds, operatorRuns.promise, options));
  }
  signal.throwIfAborted();
  await install(cluster, missing, { clock, signal });

  const kubeconfig = directory.file('operator.kubeconfig');
  const { client, connection } = cluster;
  await writeOperatorKubeconfig({ client, connection, file: kubeconfig, clock, signal });
  const operatorLog = directory.file('operator.log');
  const statusPort = await freePort();
  const confinedTo = { namespace: demoNamespace, host: new URL(simulator.baseURL).host };
  signal.throwIfAborted();
  const starting = keepOperator({
    start: () =>
      startOperatorProcess({
        processes,
        kubeconfig,
        logFile: operatorLog,
        statusPort,
        ...(place.existing && { confinedTo }),
      }),
    onRestart: ({ code, signal: by }) => say(`operator: ended (${by ?? `exit code ${code}`}), and is started again`),
    clock,
    signal,
  });
  starting.then(operatorRuns.resolve, operatorRuns.reject);
  const manifests = [...accountManifests(simulator), ...examples];
  const certManagerLog = directory.file('cert-manager.log');
  const applyAll = (manifests: readonly Manifest[]) => manifests.map((manifest) => cluster.apply(manifest));
  const withCertManager = async () => {
    const started =
      certManager &&
      (await startCertManager(cluster, certManager, {
        kubeconfig: place.kubeconfig,
        namespace: demoNamespace,
        logFile: certManagerLog,
        processes,
        clock,
        signal,
      }));
    await Promise.all(applyAll(certificates));
    return started;
  };
  const [operator, certManagerRuns] = await Promise.all([starting, withCertManager(), ...applyAll(manifests)]);
  const statusPage = `http://127.0.0.1:${statusPort}/`;
  say(`status page: ${statusPage}`);
  say(
    `operator: process ${operator.pid}, as ServiceAccount ${operatorNames.namespace}/${operatorNames.name}; log ${operatorLog}`,
  );
  if (certManagerRuns) say(`cert-manager: process ${certManagerRuns.pid}; log ${certManagerLog}`);
  return {
    place,
    simulator,
    operator,
    operatorLog,
    statusPage,
    certManager: certManagerRuns,
    certManagerLog,
    watched: manifests.flatMap((manifest) => watchedOf(manifest, kinds)),
    sim: simToTry(examples),
    upAt,
  };
}

function watchedOf({ object }: Manifest, kinds: readonly Resource[]): Watched[] {
  const [group] = object.apiVersion.split('/');
  const resource = kinds.find((kind) => kind.group === group && kind.kind === object.kind);
  const { name, namespace = '' } = object.metadata;
  return resource ? [{ resource, kind: object.kind, namespace, name }] : [];
}

/** What is about to be done to somebody's cluster. */
function announcement(place: Place, all: Installation, missing: Installation, keeps: boolean): string[] {
  const names = (manifests: readonly Manifest[]) => manifests.map(({ object }) => object.metadata.name).join(', ');
  const present = all.crds.filter(
    (one) => !missing.crds.some(({ object }) => object.metadata.name === one.object.metadata.name),
  );
  return [
    `In the cluster of ${place.kubeconfig} the sandbox now creates:`,
    `  namespaces: ${names(missing.namespaces)}`,
    ...(missing.crds.length > 0 ? [`  CRDs: ${names(missing.crds)}`] : []),
    `  ServiceAccount, Role and RoleBinding ${operatorNames.name} in ${operatorNames.namespace}`,
    `  ClusterRole and ClusterRoleBinding ${operatorNames.name}`,
    ...(present.length > 0 ? [`It uses as they are: ${names(present)}`] : []),
    `The operator runs on this machine and looks after namespace ${demoNamespace} alone.`,
    keeps ? 'With --data-dir all of this stays there at the end.' : 'At the end all of it is removed again.',
  ];
}

async function clearUp(
  place: Place,
  installation: Installation,
  kinds: readonly Resource[],
  operatorRuns: Promise<SandboxProcess>,
  { clock, say, signal }: SessionOptions,
): Promise<void> {
  say('removing from the cluster what the sandbox created …');
  // Before the operator was to be started nobody holds a finalizer.
  const operator = await Promise.race([operatorRuns.catch(() => undefined), clock.sleep(0).then(() => undefined)]);
  const left = await uninstall(place.cluster, {
    installation,
    kinds,
    stopOperator: async () => operator?.stop(),
    clock,
  });
  if (left.length === 0) return;
  throw new SandboxFailed(
    `Not everything could be removed from the cluster: ${left.join('; ')}`,
    'Look at what is left, and delete it with kubectl.',
    { cause: signal.reason },
  );
}
