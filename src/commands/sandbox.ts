import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../clock.ts';
import { parseText } from './arguments.ts';

interface Flags {
  readonly once: boolean;
  readonly timeout: number;
  readonly output?: 'json';
  readonly kubeconfig?: string;
  readonly dataDir?: string;
  readonly examples?: string;
  readonly certManager: boolean;
}

/** `edgeline sandbox`, which `npm start` is: everything on this machine, to look at and to try things on. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('bring up the service (simulated), a cluster, the operator and examples, until Ctrl-C')
    .option('--once', 'end when all examples are Ready, or with an error if they are not Ready in time', false)
    .option('--timeout <seconds>', 'time until all must be Ready, once the control plane is up', parseSeconds, 120)
    .addOption(new Option('--output <format>', 'print one line of JSON at the end').choices(['json']))
    .option('--kubeconfig <file>', 'use this cluster instead of the sandbox’s own', parseText)
    .option(
      '--data-dir <directory>',
      'keep the state in this directory (default: a temporary directory, removed at the end)',
      parseText,
    )
    .option('--examples <directory>', 'apply these manifests instead of deploy/examples', parseText)
    .option('--cert-manager', 'let a real cert-manager issue the certificates, renewing one every 30 seconds', false)
    .action(run);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds <= 0) {
    throw new InvalidArgumentError('Write seconds, a number above 0.');
  }
  return seconds;
}

async function run(flags: Flags): Promise<void> {
  const { runSandbox } = await import('../sandbox/run.ts');
  process.exitCode = await runSandbox({
    once: flags.once,
    timeoutSeconds: flags.timeout,
    output: flags.output,
    kubeconfig: flags.kubeconfig,
    dataDir: flags.dataDir,
    examples: flags.examples,
    certManager: flags.certManager,
    clock: systemClock,
    random: Math.random,
  });
}
