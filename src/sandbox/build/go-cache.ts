import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type EdgelineError, messageOf } from '../../errors.ts';

/** Where builds of a tool are kept. A relative XDG_CACHE_HOME is ignored, as its specification demands. */
export function cacheDirectory(env: NodeJS.ProcessEnv, tool: string): string {
  const xdg = env['XDG_CACHE_HOME'];
  return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'edgeline', tool);
}

/** Makes the directory in which builds are kept. Throws `tool.unavailable` where it can't be made or written to. */
export function openCache(
  cache: string,
  tool: {
    readonly title: string;
    readonly unavailable: new (message: string, advice: string, options?: ErrorOptions) => EdgelineError;
  },
): void {
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new tool.unavailable(
      `There is no built ${tool.title}, and none can be kept in ${cache}: ${messageOf(cause)}`,
      'Set XDG_CACHE_HOME to a directory that you may write to; without it, it is .cache in HOME.',
      { cause },
    );
  }
}

/**
 * A digest of all that goes into the programs: go.mod, go.sum and the Go files, and whatever else is given (flags, version of Go,
 * platform). Names and lengths are part of it, so no two inputs run together.
 */
export function fingerprint(sourceDir: string, others: readonly string[]): string {
  const hash = createHash('sha256');
  const files = readdirSync(sourceDir).filter((name) => /^go\.(mod|sum)$|\.go$/.test(name));
  for (const name of files.sort()) {
    const content = readFileSync(join(sourceDir, name));
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.update(JSON.stringify(others)).digest('hex');
}
