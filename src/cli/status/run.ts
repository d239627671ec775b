import { compareText } from '../../text.ts';
import { ClusterError, UsageError } from '../errors.ts';
import { parseTargets } from '../kinds.ts';
import { refuseNowhere } from '../nowhere.ts';
import { type Output, toJson, toYaml } from '../output.ts';
import { resolveTargets } from '../resolve.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { screenOf } from '../text/screen.ts';
import { fetchReport, scopesOf } from './fetch.ts';
import { statusMarkdown } from './markdown.ts';
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
 * 0 once the signal ends it. What is named and not there is an error after all else is printed. Throws `UsageError`, `KubeconfigError` and `ClusterError`.
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
    const missing: ClusterError[] = [];
    const onMissing = (error: ClusterError) => void missing.push(error);
    const resolved = await resolveTargets(session, targets, onMissing);
    // No target at all would mean all kinds.
    if (resolved.length === 0 && missing.length > 0) throw allOf(missing);
    const scopes = scopesOf(resolved);
    const report = await fetchReport(session, scopes, options.selector, clock.now(), onMissing);
    if (report.all.length === 0 && missing.length > 0) throw allOf(missing);
    const isNamespaceAsked = scopes.some(({ kind }) => kind.namespaced);
    const isEmpty = !report.all.some(({ namespace }) => namespace === session.namespace);
    if (isNamespaceAsked && isEmpty) await refuseNowhere(session);
    const screen = screenOf(out, environment);
    const shape = {
      showAll: options.all,
      namespace: session.namespace,
      selector: options.selector,
      screen,
      now: clock.now(),
    };
    out.write(await printed(report, options, shape));
    // As with kubectl: one wrong name of several hides nothing of the others.
    if (missing.length > 0) throw allOf(missing);
    if (!options.watch) return exitCodeOf(report);
    const { followStatus } = await import('./follow.ts');
    await followStatus({ session, scopes, report, options, surroundings, signal });
    return 0;
  } finally {
    await session.close();
  }
}

/** One error that says it of all, in an order that does not follow from which was answered first. */
function allOf(errors: readonly ClusterError[]): ClusterError {
  const sorted = errors.toSorted((a, b) => compareText(a.message, b.message));
  const advice = [...new Set(sorted.map((error) => error.advice))].join('\n');
  return new ClusterError(sorted.map(({ message }) => message).join(', '), advice, { cause: sorted[0]?.cause });
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
