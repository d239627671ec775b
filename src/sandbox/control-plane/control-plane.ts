import { existsSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { chooseNamespace, chosenNamespace } from '../chosen-namespace.ts';
import { controlPlaneTool } from '../build/control-plane.ts';
import { startEnvtest } from '../build/envtest.ts';
import { ControlPlaneUnavailable } from '../errors.ts';
import { ensureTool } from '../build/go-tool.ts';
import { onAbort } from '../processes/on-abort.ts';
import { createProcesses, type Processes } from '../processes/processes.ts';
import { makeTemporary, ROOM_OR_TMPDIR } from '../temporary-directory.ts';
import { freeIn, startFailure } from './failure.ts';
import { type RunningControlPlane, type StartOptions, START_LIMIT_MILLISECONDS } from './running.ts';

/** A control plane that can be started. */
export interface ControlPlane {
  /** The program, or the directory with `etcd` and `kube-apiserver` that KUBEBUILDER_ASSETS names. */
  readonly bin: string;
  /** The path of a kubectl that fits. */
  readonly kubectl: string;
  /** False when it was built just now. */
  readonly cached: boolean;
  /** Seconds the build took, when there was one. */
  readonly buildSeconds?: number;
  /** What can't be shown with it, a sentence each; empty for the project's own. */
  readonly limits: readonly string[];
}

const envtestLimits = [
  'KUBEBUILDER_ASSETS has no controllers: a deleted namespace stays Terminating, owner references are not followed, ' +
    'and service accounts are not made.',
];

/**
 * Finds a control plane: CONTROL_PLANE_BIN, KUBEBUILDER_ASSETS, the cache, and at last a build with Go. An explicit
 * kubeconfig is the caller's business; one that happens to lie around is never used.
 *
 * @param options.sourceDir the directory of its Go sources: `test/control-plane` of the package.
 * @param options.progress takes lines for a person, every few seconds while it's building.
 * @param options.env the environment to look into; this process's own when absent.
 * @param options.processes who looks after the compiler, if there is a build.
 * @param options.signal stops the build.
 * @throws {ControlPlaneUnavailable} when there's none and none can be built; says what to install.
 */
export async function ensureControlPlane(options: {
  readonly sourceDir: string;
  readonly progress: (line: string) => void;
  readonly clock: Clock;
  readonly env?: NodeJS.ProcessEnv;
  readonly processes?: Processes;
  readonly signal?: AbortSignal;
}): Promise<ControlPlane> {
  const env = options.env ?? process.env;
  const bin = env['CONTROL_PLANE_BIN'];
  if (bin) {
    requireFiles('CONTROL_PLANE_BIN', [bin]);
    const beside = join(dirname(bin), 'kubectl');
    return { bin, kubectl: existsSync(beside) ? beside : kubectlOnPath(env), cached: true, limits: [] };
  }
  const assets = env['KUBEBUILDER_ASSETS'];
  if (assets) {
    requireFiles('KUBEBUILDER_ASSETS', [join(assets, 'etcd'), join(assets, 'kube-apiserver')]);
    const beside = join(assets, 'kubectl');
    return {
      bin: assets,
      kubectl: existsSync(beside) ? beside : kubectlOnPath(env),
      cached: true,
      limits: envtestLimits,
    };
  }
  const { directory, buildSeconds } = await ensureTool(controlPlaneTool(options.sourceDir), { ...options, env });
  return {
    bin: join(directory, 'control-plane'),
    kubectl: join(directory, 'kubectl'),
    cached: buildSeconds === undefined,
    ...(buildSeconds !== undefined && { buildSeconds }),
    limits: [],
  };
}

const readyLine = z.union([
  z.object({ ready: z.literal(true), server: z.string(), kubeconfig: z.string() }),
  z.object({ ready: z.literal(false), error: z.string(), log: z.string().optional() }),
]);

/**
 * Starts a control plane and resolves when it answers. It ends with this process, however this process ends. Its
 * kubeconfig is written anew, for another port; the namespace chosen in the one of the same data directory stays.
 *
 * @throws {ControlPlaneUnavailable} when it doesn't come up; with the end of its log.
 */
export async function startControlPlane(options: StartOptions): Promise<RunningControlPlane> {
  const { bin, dataDir } = options;
  const namespace = dataDir === undefined ? undefined : chosenNamespace(join(dataDir, 'kubeconfig'));
  const running = await (statSync(bin).isDirectory() ? startEnvtest(options) : startOwn(options));
  if (namespace !== undefined) chooseNamespace(running.kubeconfig, namespace);
  return running;
}

async function startOwn(options: StartOptions): Promise<RunningControlPlane> {
  const graceMilliseconds = 10_000;
  const processes = options.processes ?? createProcesses({ clock: options.clock, graceMilliseconds });
  options.signal?.throwIfAborted();
  // It can't remove its own when it panics, as where the disk is full.
  const isMade = options.temporaryDir === undefined;
  const temporaryDir =
    options.temporaryDir ?? makeTemporary('control-plane-', ControlPlaneUnavailable, ROOM_OR_TMPDIR);
  const removeMade = () => {
    if (isMade) rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 3 });
  };
  let isUp = false;
  const said: string[] = [];
  let announce: (line: string) => void = () => {};
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const starting = processes.start({
    name: 'control plane',
    command: options.bin,
    graceMilliseconds,
    env: { ...process.env, TMPDIR: temporaryDir },
    args: [
      '--exit-on-eof',
      ...(options.dataDir === undefined ? [] : [`--data-dir=${options.dataDir}`]),
      ...(options.port === undefined ? [] : [`--port=${options.port}`]),
      ...(options.fakeKubelet ? ['--fake-kubelet'] : []),
      ...(options.gcPercent === undefined ? [] : [`--gogc=${options.gcPercent}`]),
    ],
    output: {
      line: (line, stream) => {
        if (stream === 'stdout') announce(line);
        else said.push(line);
      },
    },
  });
  starting.catch(removeMade);
  const started = await starting;
  const exited = started.exited.then((exit) => {
    // Of a failure its log is read first.
    if (isUp) removeMade();
    return exit;
  });
  const tooLong = new AbortController();
  const watching = onAbort(options.signal, () => void started.stop());
  const line = await Promise.race([
    announced,
    started.exited.then(() => undefined),
    options.clock.sleep(START_LIMIT_MILLISECONDS, tooLong.signal).then(() => `no answer within ${START_LIMIT_MILLISECONDS / 1_000} s`),
  ]);
  tooLong.abort();
  watching.end();
  if (options.signal?.aborted) {
    await started.stop();
    removeMade();
    throw options.signal.reason;
  }
  const answer = readyLine.safeParse(parseJSON(line));
  if (answer.data?.ready !== true) {
    const exit = await started.stop();
    const { error, log } = answer.data ?? { error: line };
    const directory = options.dataDir ?? temporaryDir;
    const failure = startFailure({
      error,
      said,
      exit,
      log: log === undefined ? undefined : { file: log, stays: !isMade || relative(temporaryDir, log).startsWith('..') },
      port: options.port,
      directory,
      free: freeIn(directory),
    });
    removeMade();
    throw failure;
  }
  isUp = true;
  return {
    kubeconfig: answer.data.kubeconfig,
    server: answer.data.server,
    pid: started.pid,
    exited,
    stop: async () => {
      await started.stop();
      removeMade();
    },
  };
}

function parseJSON(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}

function requireFiles(variable: string, files: readonly string[]): void {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length === 0) return;
  throw new ControlPlaneUnavailable(
    `${variable} is set, but there is no ${missing.join(' and no ')}`,
    `Correct ${variable}, or unset it.`,
  );
}

function kubectlOnPath(env: NodeJS.ProcessEnv): string {
  const directories = (env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
  const found = directories.map((directory) => join(directory, 'kubectl')).find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new ControlPlaneUnavailable(
    'There is no kubectl, neither beside the control plane nor on the PATH',
    'Put a kubectl beside the control plane, or install one.',
  );
}
