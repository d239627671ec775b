import { UsageError } from '../errors.ts';
import { kindOf, parseTarget, parseTargets } from '../kinds.ts';
import { type Output, toJson, toYaml } from '../output.ts';
import { readPresence } from '../presence.ts';
import { findObject } from '../resolve.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { type Reported, standingOf } from '../standing.ts';
import { placesOf } from '../status/fetch.ts';
import { screenOf } from '../text/screen.ts';
import { readAccount, readEvents, readReferences } from './read.ts';
import { explanationLines, explanationMarkdown } from './render.ts';
import { type Explanation, explanationJson, explanationOf } from './report.ts';

export interface ExplainOptions extends ClusterFlags {
  /** `KIND/NAME`. */
  readonly target: string;
  /** What was typed after it. */
  readonly excess?: readonly string[];
  readonly output: Output;
}

/** `edgeline explain`: prints all there is to say about one object. Throws `UsageError`, `KubeconfigError` and `ClusterError`. */
export async function runExplain(options: ExplainOptions, surroundings: CliSurroundings): Promise<void> {
  if (options.excess?.length) {
    parseTargets([options.target, ...options.excess]);
    throw new UsageError('it is one object that is explained', 'Explain them one after another.');
  }
  const target = parseTarget(options.target);
  if (target.name === undefined) {
    const kind = target.kinds[0]?.singular ?? 'sim';
    throw new UsageError(
      `"${options.target}" names no object`,
      `Write KIND/NAME, for example ${kind}/NAME. The fields of a kind are described by \`kubectl explain ${kind}.spec\`.`,
    );
  }
  const session = await openSession(options, surroundings);
  try {
    const { target: found, object } = await findObject(session, target);
    const kind = kindOf((found.kinds[0] ?? kindOf('Sim')).kind);
    const { clock, out, environment } = surroundings;
    const [presence, { events, note: eventsNote, approved, askedAt }, references, account] = await Promise.all([
      readPresence(session, placesOf([object]), clock.now()),
      readEvents(session, object),
      readReferences(session, kind, object),
      readAccount(session, object),
    ]);
    const standing = standingOf(kind, object);
    const explanation = explanationOf({
      kind: kind.kind,
      object: object satisfies Reported,
      standing,
      presence,
      references,
      events,
      eventsNote,
      approved,
      askedAt,
      account,
    });
    const screen = screenOf(out, environment);
    out.write(
      await printed(explanation, options.output, () => explanationLines(explanation, screen, clock.now()), clock.now()),
    );
  } finally {
    await session.close();
  }
}

async function printed(
  explanation: Explanation,
  output: Output,
  lines: () => readonly string[],
  now: number,
): Promise<string> {
  switch (output) {
    case 'json':
      return toJson(explanationJson(explanation));
    case 'yaml':
      return toYaml(explanationJson(explanation));
    case 'markdown':
      return `${explanationMarkdown(explanation, now).join('\n').trimEnd()}\n`;
    case 'table':
      return `${lines().join('\n')}\n`;
  }
}
