import { readFileSync } from 'node:fs';
import { operator, SIM_POLL_SECONDS, SITE_POLL_SECONDS } from '../names.ts';
import { ownProgram } from './own-program.ts';
import type { Processes, SandboxProcess } from './processes.ts';

/**
 * Starts the operator as it runs in a cluster: a process of its own, with leader election, as its ServiceAccount.
 *
 * @param options.confinedTo in a cluster that was there before: the one namespace to look after, and the one host accounts
 * may name. Other people's resources there are none of the sandbox's business.
 */
export function startOperatorProcess(options: {
  readonly processes: Processes;
  readonly kubeconfig: string;
  readonly logFile: string;
  /** Of the status page, on this machine. */
  readonly statusPort: number;
  readonly confinedTo?: { readonly namespace: string; readonly host: string };
}): Promise<SandboxProcess> {
  const { command, args } = ownProgram();
  const { confinedTo } = options;
  return options.processes.start({
    name: 'operator',
    command,
    args: [
      ...args,
      'operator',
      `--kubeconfig=${options.kubeconfig}`,
      '--leader-elect',
      `--lease-namespace=${operator.namespace}`,
      `--sim-poll=${SIM_POLL_SECONDS}`,
      `--site-poll=${SITE_POLL_SECONDS}`,
      '--health-listen=0',
      '--metrics-listen=0',
      `--status-listen=127.0.0.1:${options.statusPort}`,
      '--log-format=pretty',
      ...(confinedTo ? [`--namespaces=${confinedTo.namespace}`, `--allowed-hosts=${confinedTo.host}`] : []),
    ],
    // The simulator is on this machine: whatever proxy it has is none of the sandbox's business.
    env: { ...process.env, HTTPS_PROXY: '', https_proxy: '' },
    output: { file: options.logFile },
  });
}

/** The last lines of a log, indented; empty when there is nothing in it. */
export function endOfLog(file: string, lines = 15): string {
  try {
    const text = readFileSync(file, 'utf8').trimEnd();
    return text === ''
      ? ''
      : text
          .split('\n')
          .slice(-lines)
          .map((line) => `  ${line}`)
          .join('\n');
  } catch {
    return '';
  }
}
