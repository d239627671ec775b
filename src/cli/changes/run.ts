import { UsageError } from '../errors.ts';
import { kinds, parseTargets, type Target } from '../kinds.ts';
import { refuseNowhere } from '../nowhere.ts';
import { type Output, toJson, toYaml } from '../output.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { screenOf } from '../text/screen.ts';
import { readChanges } from './read.ts';
import { type ChangesReport, changesJson, changesLines, changesMarkdown } from './render.ts';

export interface ChangesOptions extends ClusterFlags {
  /** `KIND[/NAME]`, any number of them; none: all kinds. */
  readonly targets: readonly string[];
  readonly selector?: string | undefined;
  readonly since: { readonly text: string; readonly milliseconds: number };
  readonly output: Output;
}

/** Accounts are nothing at the service: there are no writes for them. */
const written = kinds.filter(({ kind }) => kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount');

/** `edgeline changes`: prints what was written to the service of late. Throws `UsageError`, `KubeconfigError` and `ClusterError`. */
export async function runChanges(options: ChangesOptions, surroundings: CliSurroundings): Promise<void> {
  const targets = targetsOf(options);
  const session = await openSession(options, surroundings);
  try {
    const { clock, out, environment } = surroundings;
    const after = clock.now() - options.since.milliseconds;
    const changes = await readChanges(session, { targets, selector: options.selector, after });
    if (changes.length === 0) await refuseNowhere(session);
    const report = { changes, since: options.since.text, namespace: session.namespace, of: askedOf(options) };
    out.write(await printed(report, options.output, () => changesLines(report, screenOf(out, environment))));
  } finally {
    await session.close();
  }
}

/** What was asked for, as it was typed; empty: all. */
function askedOf({ targets, selector }: ChangesOptions): string {
  return [...targets, ...(selector === undefined ? [] : [`what has the labels ${selector}`])].join(', ');
}

function targetsOf({ targets: typed, selector, allNamespaces }: ChangesOptions): readonly Target[] {
  const targets = parseTargets(typed);
  const account = targets.find(({ kinds: of }) => !of.some((kind) => written.includes(kind)));
  if (account)
    throw new UsageError(
      'nothing is written to the service for an account',
      `Name a resource that uses it: ${written.map(({ singular }) => singular).join(', ')}.`,
    );
  const isNamed = targets.some(({ name }) => name !== undefined);
  if (selector !== undefined && isNamed)
    throw new UsageError('a selector does not go with the name of an object', 'Leave out -l, or the name.');
  if (allNamespaces && isNamed)
    throw new UsageError(
      'the name of an object does not go with -A',
      'Name its namespace with -n, or leave out the name.',
    );
  return targets.length > 0 ? targets : written.map((kind) => ({ kinds: [kind], name: undefined }));
}

async function printed(report: ChangesReport, output: Output, lines: () => readonly string[]): Promise<string> {
  switch (output) {
    case 'json':
      return toJson(changesJson(report));
    case 'yaml':
      return toYaml(changesJson(report));
    case 'markdown':
      return `${changesMarkdown(report).join('\n')}\n`;
    case 'table':
      return `${lines().join('\n')}\n`;
  }
}
