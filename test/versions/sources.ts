import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../src/errors.ts';
import { cacheDirectory, fingerprint } from '../../src/sandbox/build/go-cache.ts';
import { askGo } from '../../src/sandbox/build/go-environment.ts';
import { adaptations, adapted } from './adaptations.ts';

/**
 * A directory with the sources of the control plane for another version of Kubernetes: the Go files of `own`, adapted, and a
 * go.mod of its own. Made when it is not there yet, which asks the Go module proxy.
 *
 * @param own the directory of the project's control plane.
 * @param version such as `1.32.13`.
 * @throws Error without Go, or when the Go module proxy lacks a module; with what Go said.
 */
export async function sourcesFor(own: string, version: string, env: NodeJS.ProcessEnv): Promise<string> {
  const made = fingerprint(own, [version, JSON.stringify(adaptations)]).slice(0, 16);
  const directory = join(cacheDirectory(env, 'control-plane-sources'), `${version}-${made}`);
  if (existsSync(directory)) return directory;
  mkdirSync(dirname(directory), { recursive: true });
  const unfinished = mkdtempSync(`${directory}.making-`);
  try {
    const theirs = await goModOfKubernetes(version, unfinished, env);
    writeFileSync(join(unfinished, 'go.mod'), goModFor(version, readFileSync(join(own, 'go.mod'), 'utf8'), theirs));
    for (const name of readdirSync(own).filter((one) => one.endsWith('.go'))) {
      writeFileSync(join(unfinished, name), adapted(name, readFileSync(join(own, name), 'utf8'), version));
    }
    await askGo(['mod', 'tidy'], unfinished, env);
    renameSync(unfinished, directory);
  } catch (error) {
    // Go names each module that it fetches on a line of its own before it says what is wrong.
    const said = messageOf(error).replaceAll(/^go: downloading .*\n/gm, '');
    throw new Error(`no sources of it can be had, try its next patch: ${said}`, { cause: error });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

async function goModOfKubernetes(version: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const answer = await askGo(['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], cwd, env);
  const { GoMod } = z.object({ GoMod: z.string() }).parse(JSON.parse(answer));
  return readFileSync(GoMod, 'utf8');
}

/**
 * The go.mod of the control plane at another version: it requires Kubernetes alone, so that etcd, CEL and all else are of the
 * versions that this Kubernetes itself names, and not of those of the project's own.
 *
 * @param own the project's go.mod: its module, its Go, its tools.
 * @param theirs the go.mod of that Kubernetes, which says what its own modules are: they are required as v0.0.0, and
 * replacements are not inherited.
 */
export function goModFor(version: string, own: string, theirs: string): string {
  const line = (pattern: RegExp) => pattern.exec(own)?.[0] ?? '';
  const modules = [...theirs.matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging\//gm)].map(([, module]) => module);
  if (modules.length === 0)
    throw new Error(`go.mod of Kubernetes ${version} replaces none of its own modules: look at it`);
  const staged = `v0.${version.split('.').slice(1).join('.')}`;
  const parts = [
    line(/^module .*$/m),
    line(/^go .*$/m),
    `require k8s.io/kubernetes v${version}`,
    `replace (\n${modules.map((module) => `\t${module} => ${module} ${staged}\n`).join('')})`,
    line(/^tool .*$/m),
  ];
  return `${parts.join('\n\n')}\n`;
}
