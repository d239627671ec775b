import { type Command, Option } from 'commander';
import { type Output, outputs } from '../cli/output.ts';
import type { CliSurroundings } from '../cli/session.ts';
import { systemClock } from '../clock.ts';
import { version } from '../version.ts';
import { parseNamespace, parseText } from './arguments.ts';
import { randomNonce } from './nonce.ts';

/** The flags of a command that talks to a cluster as kubectl does, under kubectl's names. */
export interface ClusterFlagValues {
  readonly namespace?: string;
  readonly allNamespaces?: boolean;
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Adds which cluster, and which namespace of it. */
export function withClusterFlags(command: Command, scope: 'one' | 'any'): Command {
  command.addOption(
    new Option('-n, --namespace <namespace>', 'the namespace (default: that of the context)')
      .argParser(parseNamespace)
      .conflicts(scope === 'any' ? 'allNamespaces' : []),
  );
  if (scope === 'any') command.option('-A, --all-namespaces', 'all namespaces');
  return command
    .option('--context <name>', 'the context of the kubeconfig (default: its current one)', parseText)
    .option('--kubeconfig <file>', 'the kubeconfig (default: as kubectl: KUBECONFIG, or ~/.kube/config)', parseText);
}

/** Adds `-o`. */
export function withOutputFlag(command: Command): Command {
  return command.addOption(
    new Option('-o, --output <format>', 'how to print it').choices(outputs).default('table' satisfies Output),
  );
}

/** What commands are given by this process. */
export function surroundingsOfCommand(): CliSurroundings {
  return {
    clock: systemClock,
    random: Math.random,
    nonce: randomNonce,
    environment: process.env,
    version,
    out: process.stdout,
    err: process.stderr,
    onInterrupt(listener) {
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
  };
}

/** By which a person ends a command. */
const signals = ['SIGINT', 'SIGTERM'] as const;

/** A signal that is aborted when a person ends the command. */
export function untilEnded(): AbortSignal {
  const ending = new AbortController();
  for (const signal of signals) {
    process.once(signal, () => ending.abort(new Error('the command was ended')));
  }
  return ending.signal;
}
