import { UsageError } from '../errors.ts';
import { parseTargets } from '../kinds.ts';
import { type Output, toJson, toYaml } from '../output.ts';
import { resolveTargets } from '../resolve.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { screenOf } from '../text/screen.ts';
import { fetchReport, scopesOf } from './fetch.ts';
import { statusMarkdown } from './markdown.ts';
import { refuseNowhere } from './nowhere.ts';
import { exitCodeOf, reportJson, type StatusReport } from './report.ts';
import { statusTable } from './table.ts';

export interface StatusOptions extends ClusterFlags {
  /** `KIND[/NAME]`, any number of them. */
  readonly targets: readonly string[];
  readonly selector?: string | undefined;
  readonly output: Output;
  readonly all: boolean;
  readonly watch: boolean;
}

/**
 * `edgeline status`: prints what is not Ready. Gives the exit code: 0 where all is, 2 where something is not; of a watch,
 * 0 once the signal ends it. Throws `UsageError`, `KubeconfigError` and `ClusterError`.
 */
export async function runStatus(
  options: StatusOptions,
  surroundings: CliSurroundings,
  signal: AbortSignal,
): Promise<0 | 2> {
  const targets = parseTargets(options.targets);
  if (options.selector !== undefined && targets.some(({ name }) => name !== undefined))
    throw new UsageError('a selector does not go with the name of an object', 'Leave out -l, or the name.');
  if (options.watch && options.output === 'markdown')
    throw new UsageError('Markdown cannot be followed', 'Leave out --watch, or use -o table, json or yaml.');
  const named = targets.find(({ kinds, name }) => name !== undefined && kinds.some(({ namespaced }) => namespaced));
  if (options.allNamespaces && named)
    throw new UsageError(
      `an object is in one namespace, so that the name ${named.name} does not go with --all-namespaces`,
      'Name the namespace with -n.',
    );
  const session = await openSession(options, surroundings);
  try {
    const { clock, out, environment } = surroundings;
    const scopes = scopesOf(await resolveTargets(session, targets));
    const report = await fetchReport(session, scopes, options.selector, clock.now());
    await refuseNowhere(session, scopes, report);
    const screen = screenOf(out, environment);
    const shape = {
      showAll: options.all,
      namespace: session.namespace,
      selector: options.selector,
      screen,
      now: clock.now(),
    };
    out.write(await printed(report, options, shape));
    if (!options.watch) return exitCodeOf(report);
    const { followStatus } = await import('./follow.ts');
    await followStatus({ session, scopes, report, options, surroundings, signal });
    return 0;
  } finally {
    await session.close();
  }
}

async function printed(
  report: StatusReport,
  { output, watch }: StatusOptions,
  shape: Parameters<typeof statusTable>[1],
): Promise<string> {
  const data = () => reportJson(report, shape.showAll);
  switch (output) {
    case 'json':
      return toJson(data(), watch ? 'one' : 'many');
    case 'yaml':
      return toYaml(data());
    case 'markdown':
      return `${statusMarkdown(report, shape.showAll, shape.now).join('\n')}\n`;
    case 'table':
      return `${statusTable(report, shape).join('\n')}\n`;
  }
}
