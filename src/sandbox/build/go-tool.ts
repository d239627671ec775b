import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { EdgelineError } from '../../errors.ts';
import { onAbort } from '../processes/on-abort.ts';
import { createProcesses, type Processes } from '../processes/processes.ts';
import { cacheDirectory, fingerprint, openCache } from './go-cache.ts';
import { askGo, GoMissing, goBuildEnvironment, goPlatform, platformHere } from './go-environment.ts';
import { withBuildLock } from './lock.ts';
import { createBuildProgress, formatElapsed } from './progress.ts';

/** Milliseconds a build may take. */
const BUILD_LIMIT_MILLISECONDS = 15 * 60_000;
/** Milliseconds between two lines of progress. */
const PROGRESS_MILLISECONDS = 5_000;
/** Beside the programs: the digest of what they were built from, whichever Go that was. */
const sourcesFile = 'sources';

/** Programs that are built with Go when they are first needed, and kept. */
export interface GoTool {
  /** Its folder in the cache: `control-plane`. */
  readonly name: string;
  /** What people call it: `control plane`. */
  readonly title: string;
  /** The directory with go.mod and the sources. */
  readonly sourceDir: string;
  /** The packages to build; each becomes a program of its last word's name. */
  readonly packages: readonly string[];
  /** How many packages that are, with all they import (`go list -deps PACKAGES | wc -l`), to tell how far a build has come. */
  readonly compiles?: number;
  /** The flags of `go build`, from go.mod. */
  readonly flags: (goMod: string) => readonly string[];
  /** Files and folders that are there when the build is whole. */
  readonly files: readonly string[];
  /** Puts into the directory what has to be there besides the programs; `go` runs Go and gives what it printed. */
  readonly finish?: (directory: string, go: (args: readonly string[]) => Promise<string>) => Promise<void>;
  /** What to throw when there is none, and what to do without Go. */
  readonly unavailable: new (
    message: string,
    advice: string,
    options?: ErrorOptions,
  ) => EdgelineError;
  readonly withoutGo: string;
  /** What a build takes, for the advice when it fails: `about 3 GB of disk`. */
  readonly needs: string;
}

export interface BuildOptions {
  /** Takes lines for a person. */
  readonly progress: (line: string) => void;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** Who looks after the compiler; someone of its own when absent. */
  readonly processes?: Processes;
  /** Stops the build, or waiting for another's, and leaves nothing unfinished behind. */
  readonly signal?: AbortSignal;
}

export interface Build {
  /** The directory with the programs. */
  readonly directory: string;
  /** Seconds it took; absent when it had been built before. */
  readonly buildSeconds?: number;
}

/**
 * The programs from the cache, or built into it. Processes that need them at the same time wait for the one that builds.
 * Without Go a build of the same sources for this platform is good enough, whichever Go made it.
 *
 * @throws `tool.unavailable` without its sources or Go, where no build can be kept, when the build fails, or when it takes longer than 15 minutes.
 */
export async function ensureTool(tool: GoTool, options: BuildOptions): Promise<Build> {
  const { progress, clock, env } = options;
  const flags = tool.flags(goModOf(tool));
  const cache = cacheDirectory(env, tool.name);
  let go: readonly string[];
  try {
    go = await goPlatform(tool.sourceDir, env);
  } catch (error) {
    if (!(error instanceof GoMissing)) throw error;
    const directory = builtBefore(tool, cache, fingerprint(tool.sourceDir, [...flags, ...platformHere()]));
    if (directory !== undefined) return { directory };
    throw new tool.unavailable(
      `There is no built ${tool.title}, and none can be built: ${error.message}`,
      tool.withoutGo,
      { cause: error.cause },
    );
  }
  const directory = join(cache, fingerprint(tool.sourceDir, [...flags, ...go]));
  if (isBuilt(tool, directory)) return { directory };
  openCache(cache, tool);
  return withBuildLock(
    `${directory}.lock`,
    {
      clock,
      holder: `process ${process.pid}`,
      onWait: (holder) => progress(`${tool.title}: waiting for ${holder || 'another process'}, which is building it`),
      ...(options.signal && { signal: options.signal }),
    },
    async () => {
      if (isBuilt(tool, directory)) return { directory };
      for (const name of readdirSync(cache)) {
        if (name.startsWith(`${basename(directory)}.building-`)) rmSync(join(cache, name), { recursive: true });
      }
      const started = clock.monotonic();
      const unfinished = mkdtempSync(`${directory}.building-`);
      try {
        await goBuild(tool, unfinished, flags, options);
        await tool.finish?.(unfinished, (args) => askGo(args, tool.sourceDir, env));
        writeFileSync(join(unfinished, sourcesFile), fingerprint(tool.sourceDir, [...flags, ...platformHere()]));
        publish(tool, unfinished, directory);
      } finally {
        rmSync(unfinished, { recursive: true, force: true });
      }
      return { directory, buildSeconds: (clock.monotonic() - started) / 1_000 };
    },
  );
}

/** Somebody may have taken the bundle alone out of its archive. */
function goModOf({ sourceDir, title, unavailable }: GoTool): string {
  try {
    return readFileSync(join(sourceDir, 'go.mod'), 'utf8');
  } catch (cause) {
    throw new unavailable(
      `The sources of ${title} are not in ${sourceDir}`,
      'Run edgeline from the whole archive or clone, not from the bundle alone.',
      { cause },
    );
  }
}

function isBuilt(tool: GoTool, directory: string): boolean {
  return tool.files.every((name) => existsSync(join(directory, name)));
}

function builtBefore(tool: GoTool, cache: string, sources: string): string | undefined {
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .map((name) => join(cache, name))
    .find((directory) => {
      const file = join(directory, sourcesFile);
      return isBuilt(tool, directory) && existsSync(file) && readFileSync(file, 'utf8') === sources;
    });
}

/** Renaming is atomic; when another process was first, its build is as good. */
function publish(tool: GoTool, unfinished: string, directory: string): void {
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    if (!isBuilt(tool, directory)) throw error;
  }
}

async function goBuild(tool: GoTool, into: string, flags: readonly string[], options: BuildOptions): Promise<void> {
  const { progress, clock, env, signal: cancelled } = options;
  const started = clock.monotonic();
  const elapsed = () => clock.monotonic() - started;
  const seen = createBuildProgress(tool.compiles);
  progress(`${tool.title}: building it with Go; this takes some minutes the first time`);
  const processes = options.processes ?? createProcesses({ clock });
  cancelled?.throwIfAborted();
  const go = await processes.start({
    name: 'go build',
    command: 'go',
    args: ['build', '-v', ...flags, '-o', `${into}/`, ...tool.packages],
    cwd: tool.sourceDir,
    // A build that is stopped leaves its work behind: then it's among what is removed.
    env: { ...env, ...goBuildEnvironment, GOTMPDIR: into },
    output: { line: (line) => seen.take(line) },
  });
  const report = setInterval(() => progress(`${tool.title}: ${seen.summary(elapsed())}`), PROGRESS_MILLISECONDS);
  let tooLong = false;
  const limit = setTimeout(() => {
    tooLong = true;
    void go.stop();
  }, BUILD_LIMIT_MILLISECONDS);
  const watching = onAbort(cancelled, () => void go.stop());
  try {
    const { code, signal } = await go.exited;
    cancelled?.throwIfAborted();
    if (code === 0) return;
    const how = tooLong ? `was stopped after ${formatElapsed(elapsed())}` : `failed (${signal ?? `exit code ${code}`})`;
    throw new tool.unavailable(
      `Building ${tool.title} ${how}: ${seen.summary(elapsed())}\n${seen.complaints()}`.trimEnd(),
      `It needs ${tool.needs} and access to a Go module proxy; what has been compiled is kept for the next try.`,
    );
  } finally {
    clearInterval(report);
    clearTimeout(limit);
    watching.end();
  }
}
