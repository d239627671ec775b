import * as z from 'zod';
import { SandboxFailed } from '../errors.ts';
import { ownProgram } from './own-program.ts';
import type { Processes, SandboxProcess } from './processes.ts';

/** The service, simulated, in a process of its own. */
export interface SimulatorProcess {
  /** `https://127.0.0.1:<port>`. */
  readonly baseURL: string;
  /** `http://127.0.0.1:<port>`: where faults are injected and state is looked at and changed. */
  readonly control: string;
  /** The file with the certificate of its CA, PEM. */
  readonly ca: string;
  readonly process: SandboxProcess;
}

/** The access token the simulated service accepts. It guards nothing: the service holds what the seed says. */
export const simulatorCredentials = { accessToken: 'sandbox', accessTokenSecret: 'sandbox-secret' } as const;

const readyLine = z.object({ ready: z.literal(true), baseURL: z.string(), control: z.string(), ca: z.string() });
const LINES_KEPT = 20;

/**
 * Starts the simulator on free ports of this machine; resolves when it answers.
 *
 * @throws {SandboxFailed} when it ends instead, with what it said.
 */
export async function startSimulatorProcess(options: {
  readonly processes: Processes;
  /** Keeps the state and the CA. */
  readonly stateFile: string;
  readonly caFile: string;
  readonly seedFile: string;
}): Promise<SimulatorProcess> {
  const { command, args } = ownProgram();
  const said: string[] = [];
  const ready = Promise.withResolvers<string>();
  const process = await options.processes.start({
    name: 'simulator',
    command,
    args: [
      ...args,
      'simulator',
      '--listen=127.0.0.1:0',
      '--control=127.0.0.1:0',
      `--state=${options.stateFile}`,
      `--ca-out=${options.caFile}`,
      `--seed-file=${options.seedFile}`,
      `--access-token=${simulatorCredentials.accessToken}`,
      `--access-token-secret=${simulatorCredentials.accessTokenSecret}`,
    ],
    output: {
      line(line, stream) {
        if (stream === 'stdout') ready.resolve(line);
        said.push(line);
        if (said.length > LINES_KEPT) said.shift();
      },
    },
  });
  const line = await Promise.race([ready.promise, process.exited.then(() => undefined)]);
  const answer = readyLine.safeParse(parseJSON(line));
  if (answer.success) return { ...answer.data, process };
  const { code, signal } = await process.stop();
  throw new SandboxFailed(
    [`The simulator did not start (${signal ?? `exit code ${code}`})`, ...said].join('\n'),
    `If it is about the state, remove ${options.stateFile}.`,
  );
}

function parseJSON(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
