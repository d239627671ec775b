import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { systemClock } from '../clock.ts';
import { ControlPlaneUnavailable } from '../sandbox/errors.ts';
import { packageRoot } from '../sandbox/package-root.ts';
import { parsePort, parseText } from './arguments.ts';

interface Options {
  readonly dataDir?: string;
  readonly port?: number;
  readonly output?: 'json';
  readonly fakeKubelet?: true;
  readonly buildOnly?: true;
}

/** `edgeline control-plane`: a Kubernetes API to try things on, until Ctrl-C. */
export function controlPlaneCommand(): Command {
  return new Command('control-plane')
    .description('start a Kubernetes control plane on this machine, with the CRDs, until Ctrl-C')
    .option(
      '--data-dir <directory>',
      'keep its state in this directory (default: a temporary directory, removed at the end)',
      parseText,
    )
    .option('--port <port>', 'port on 127.0.0.1 (default: a free one)', parsePort)
    .option('--fake-kubelet', 'show pods as running on a fake node')
    .option('--build-only', 'find or build the programs, print where they are, and exit')
    .addOption(new Option('--output <format>', 'print one line of JSON instead of shell commands').choices(['json']))
    .action(run);
}

async function run(options: Options): Promise<void> {
  const [{ ensureControlPlane, startControlPlane }, { applyCRDs }] = await Promise.all([
    import('../sandbox/control-plane/control-plane.ts'),
    import('../sandbox/control-plane/kubectl.ts'),
  ]);
  const tell = (line: string) => void process.stderr.write(`${line}\n`);
  const print = (value: object, ...lines: string[]) =>
    void process.stdout.write(`${options.output === 'json' ? JSON.stringify(value) : lines.join('\n')}\n`);
  const root = packageRoot();
  const found = await ensureControlPlane({
    sourceDir: join(root, 'test', 'control-plane'),
    progress: tell,
    clock: systemClock,
  });
  for (const limit of found.limits) tell(`note: ${limit}`);
  if (options.buildOnly) {
    print({ bin: found.bin, kubectl: found.kubectl, cached: found.cached }, found.bin, found.kubectl);
    return;
  }
  const { dataDir, port, fakeKubelet } = options;
  const running = await startControlPlane({
    bin: found.bin,
    clock: systemClock,
    ...(dataDir !== undefined && { dataDir }),
    ...(port !== undefined && { port }),
    ...(fakeKubelet && { fakeKubelet }),
  });
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('interrupted'));
  });
  try {
    const { kubeconfig, server, pid } = running;
    const crds = await applyCRDs({ kubectl: found.kubectl, kubeconfig }, join(root, 'crds'));
    print(
      { kubeconfig, server, pid, kubectl: found.kubectl, crds },
      `export KUBECONFIG=${kubeconfig}`,
      `export PATH=${dirname(found.kubectl)}:$PATH  # for kubectl`,
    );
    tell(`${server} serves, with ${crds} CRD manifests applied. Ctrl-C ends it.`);
    const exit = await Promise.race([interrupted, running.exited]);
    if (exit !== 'interrupted') {
      throw new ControlPlaneUnavailable(
        `The control plane ended unexpectedly (${exit.signal ?? `exit code ${exit.code}`})`,
        'Start it again with --data-dir and look at control-plane.log there.',
      );
    }
  } finally {
    await running.stop();
  }
}
