import { createInformer } from '../../kubernetes/informer.ts';
import type { Logger } from '../../telemetry/log.ts';
import { kindOf } from '../kinds.ts';
import { isSamePresence, type Presence, readPresence } from '../presence.ts';
import type { CliSurroundings, OutStream, Session } from '../session.ts';
import { type Reported, type Standing, standingOf } from '../standing.ts';
import { harmless } from '../text/harmless.ts';
import { screenOf } from '../text/screen.ts';
import { changeText, isNews, type StatusChange } from './changes.ts';
import { placesOf, type Scope } from './fetch.ts';
import type { StatusReport } from './report.ts';
import type { StatusOptions } from './run.ts';

/** Milliseconds between two looks at who looks after the objects. */
const PRESENCE_MILLISECONDS = 15_000;

/** Prints what changes from the report on, until the signal; connections that break are made again meanwhile. */
export async function followStatus(work: {
  readonly session: Session;
  readonly scopes: readonly Scope[];
  readonly report: StatusReport;
  readonly options: StatusOptions;
  readonly surroundings: CliSurroundings;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { session, scopes, report, options, surroundings, signal } = work;
  const { clock, random, out, err, environment } = surroundings;
  const last = new Map<string, Standing>(report.all.map((one) => [keyOf(one), one]));
  let writing = Promise.resolve();
  // One after another: YAML is made asynchronously.
  const append = async (before: Promise<void>, change: StatusChange, at: number) => {
    await before;
    out.write(await changeText(change, options.output, screenOf(out, environment), at));
  };
  const print = (change: StatusChange) => {
    writing = append(writing, change, clock.now());
  };

  const readable = scopes.filter(({ kind }) => !report.notShown.some((one) => one.kind === kind.kind));
  const informers = readable.map(({ kind, names }) => {
    const informer = createInformer<Reported>({
      client: session.client,
      resource: kind,
      ...(kind.namespaced && session.namespace !== undefined && { namespaces: [session.namespace] }),
      ...(options.selector !== undefined && { labelSelector: options.selector }),
      ...(names?.length === 1 && { fieldSelector: `metadata.name=${names[0]}` }),
      clock,
      random,
      log: complaints(err),
    });
    informer.onChange(({ old, new: object }) => {
      const shown = object ?? old;
      if (!shown || (names && !names.includes(shown.metadata.name))) return;
      const standing = standingOf(kindOf(kind.kind), shown);
      const key = keyOf(standing);
      const before = last.get(key);
      if (!object) {
        last.delete(key);
        if (before) print({ type: 'Gone', before });
        return;
      }
      last.set(key, standing);
      if (isNews(before, standing, options.all)) print({ type: 'Changed', before, now: standing });
    });
    return informer;
  });

  for (const informer of informers) informer.start();
  // What was deleted between the report and the first list is in no change of an informer.
  await Promise.all(informers.map((informer) => informer.synced(signal))).catch(() => undefined);
  const present = new Set(
    informers.flatMap((informer) => informer.list().map((object) => keyOf({ ...object.metadata, kind: object.kind }))),
  );
  for (const [key, before] of signal.aborted ? [] : last) {
    if (present.has(key)) continue;
    last.delete(key);
    print({ type: 'Gone', before });
  }

  let presence: Presence = report.presence;
  while (!signal.aborted) {
    await clock.sleep(PRESENCE_MILLISECONDS, signal).catch(() => undefined);
    if (signal.aborted) break;
    const places = placesOf(informers.flatMap((informer) => informer.list()));
    // Of no object there is nothing to say.
    if (places.length === 0) continue;
    const next = await readPresence(session, places, clock.now()).catch(() => presence);
    if (!isSamePresence(next, presence)) print({ type: 'Operator', presence: next });
    presence = next;
  }
  await Promise.all(informers.map((informer) => informer.stop()));
  await writing;
}

function keyOf({ kind, namespace, name }: { kind: string; namespace?: string | undefined; name: string }): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** A watch goes on whatever happens; what interrupts it is told once on standard error. */
function complaints(err: OutStream): Logger {
  const nothing = () => undefined;
  const tell = (...said: unknown[]) => {
    const text = said.find((one) => typeof one === 'string');
    if (typeof text === 'string') err.write(`warning: ${harmless(text)}\n`);
  };
  const log: Logger = {
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: tell,
    error: tell,
    fatal: tell,
    child: () => log,
  };
  return log;
}
