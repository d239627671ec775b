import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { ensureArgoHealth, ensureKstatus } from '../go-tools.ts';
import type { Verdict } from './judge.ts';

/** What Argo CD and kstatus make of objects. */
export interface Engines {
  /** With the health checks of an argocd-cm, those that ship unless another one is given. */
  argo(objects: readonly object[], configMap?: string): Promise<Verdict[]>;
  kstatus(objects: readonly object[]): Promise<Verdict[]>;
  /** A folder with the CRDs of Argo CD. */
  readonly argoCRDs: string;
}

/** The argocd-cm that ships. */
export const shippedConfigMap = join(packageRoot(), 'deploy', 'argocd', 'health', 'argocd-cm.yaml');

/** Both programs, built the first time: four minutes. */
export async function ensureEngines(): Promise<Engines> {
  const argo = await ensureArgoHealth();
  const kstatus = await ensureKstatus();
  return {
    argo: (objects, configMap = shippedConfigMap) => ask(argo.program, [`-config=${configMap}`], objects),
    kstatus: (objects) => ask(kstatus, [], objects),
    argoCRDs: argo.crds,
  };
}

const verdict = z.object({ status: z.string(), message: z.string() });

async function ask(program: string, args: readonly string[], objects: readonly object[]): Promise<Verdict[]> {
  const child = spawn(program, args);
  child.stdin.end(objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (complaints !== '') throw new Error(`${program}: ${complaints}`);
  const verdicts = output
    .trimEnd()
    .split('\n')
    .map((line) => verdict.parse(JSON.parse(line)));
  if (verdicts.length !== objects.length) {
    throw new Error(`${program} said something about ${verdicts.length} of ${objects.length} objects`);
  }
  return verdicts;
}
