import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { ensureHelm } from './go-tools.ts';

/** The chart, as it lies in the repository. */
export const chartDirectory = join(packageRoot(), 'helm', 'edgeline');

/** An object as the chart renders it. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly rules?: unknown;
}

export interface HelmResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Helm, with a home of its own: what it caches of a cluster's API must not reach another at the same port. */
export interface Helm {
  /** Runs it to its end, whatever that is. Values go to it as a file. */
  run(args: readonly string[], values?: object): Promise<HelmResult>;
  /** Its standard output. Fails the test with its complaint when it fails. */
  output(args: readonly string[], values?: object): Promise<string>;
  /** The objects that `helm template` makes of these values for this namespace, hooks among them. */
  template(namespace: string, values?: object): Promise<Rendered[]>;
  /** Removes its home. */
  dispose(): Promise<void>;
}

/** @param kubeconfig the cluster to talk to; `template` and `lint` need none. */
export async function createHelm(kubeconfig?: string): Promise<Helm> {
  const program = await ensureHelm();
  const home = mkdtempSync(join(tmpdir(), 'edgeline-helm-'));
  const env = { PATH: process.env['PATH'], HOME: home, ...(kubeconfig !== undefined && { KUBECONFIG: kubeconfig }) };

  function run(args: readonly string[], values?: object): Promise<HelmResult> {
    return new Promise((resolve) => {
      const withValues = values === undefined ? args : [...args, '--values=-'];
      const options = { env, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(program, withValues, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
        resolve({ stdout, stderr: stderr === '' && error !== null ? error.message : stderr, code });
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(values === undefined ? '' : JSON.stringify(values));
    });
  }

  async function output(args: readonly string[], values?: object): Promise<string> {
    const { stdout, stderr, code } = await run(args, values);
    if (code !== 0) throw new Error(`helm ${args.join(' ')} failed with ${code}: ${stderr.trim()}`);
    return stdout;
  }

  return {
    run,
    output,
    async template(namespace, values = {}) {
      const text = await output(['template', 'edgeline', chartDirectory, '--namespace', namespace], values);
      return parseAllDocuments(text)
        .map((document) => document.toJS())
        .filter((object) => object !== null);
    },
    dispose: () => rm(home, { recursive: true, force: true }),
  };
}
