import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Without cgo a machine needs no C compiler, and the programs run on any libc. */
export const goBuildEnvironment = { CGO_ENABLED: '0', GOWORK: 'off' };

/** Go is not installed, or doesn't work; the message says which. For `ensureTool`, which says what is missing for it. */
export class GoMissing extends Error {}

/** Runs Go to its end. @returns what it printed. @throws {GoMissing} when it isn't there, or fails. */
export async function askGo(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('go', [...args], { cwd, env: { ...env, ...goBuildEnvironment } });
    return stdout.trim();
  } catch (cause) {
    const said = z.object({ stderr: z.string() }).safeParse(cause);
    const missing = z.object({ code: z.literal('ENOENT') }).safeParse(cause).success;
    throw new GoMissing(missing ? 'Go is not installed' : (said.data?.stderr.trim() ?? 'Go does not work'), { cause });
  }
}

/** The version of Go and the platform it builds for, as part of a cache's key. @throws {GoMissing} without Go. */
export async function goPlatform(sourceDir: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const wanted = ['GOVERSION', 'GOOS', 'GOARCH'];
  const values = z
    .record(z.string(), z.string())
    .parse(JSON.parse(await askGo(['env', '-json', ...wanted], sourceDir, env)));
  return wanted.map((name) => `${name}=${values[name]}`);
}

/** The platform this process runs on: what a build must be for when no Go is there to be asked. */
export function platformHere(): string[] {
  return [process.platform, process.arch];
}
