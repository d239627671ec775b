import { setTimeout as sleep } from 'node:timers/promises';
import { NAMESPACES, pathOf, type Resource } from '../../../src/kubernetes/resource.ts';
import { createMemory, type Memory } from './known.ts';
import { createNormalizer, type Normalizer, sorted } from './normal.ts';
import { ADMIN, type Place } from './parts.ts';
import { PARTIAL } from './reads.ts';
import type { Side, Watching } from './sides.ts';
import type { Step } from './steps.ts';

/** Where the two sides differ. */
export interface Difference {
  /** The step, or the watch. */
  readonly where: string;
  readonly request: unknown;
  /** What each side answered, made comparable; lines of JSON. */
  readonly memory: string;
  readonly real: string;
}

/** What came of playing one sequence. */
export interface Comparison {
  readonly difference: Difference | undefined;
  /** How many answers were compared, by what was asked and what was answered. */
  readonly counts: ReadonlyMap<string, number>;
  /** Events of watches that were compared. */
  readonly events: number;
  /** What was refused because of the value of a field, as `cause: message`. */
  readonly refusals: ReadonlySet<string>;
}

/** One side, and what it has answered so far. */
interface Played {
  readonly side: Side;
  readonly memory: Memory;
  readonly normalizer: Normalizer;
  readonly watches: Map<string, Watching>;
}

/** After this long, an event that did not come is missed. Milliseconds. */
const PATIENCE = 10_000;

/** Plays a sequence to both sides. It ends with the first difference, for what is different afterwards follows from it. */
export async function compare(
  sides: { readonly memory: Side; readonly real: Side },
  steps: readonly Step[],
  place: Place,
): Promise<Comparison> {
  const memory = playedOn(sides.memory);
  const real = playedOn(sides.real);
  const counts = new Map<string, number>();
  const refusals = new Set<string>();
  const watched = [...new Set(steps.map(({ resource }) => resource))].filter(({ namespaced }) => namespaced);
  for (const one of [memory, real]) await begin(one, watched, place);

  try {
    for (const [index, step] of steps.entries()) {
      const [ours, theirs] = await Promise.all([play(memory, step), play(real, step)]);
      const key = `${step.verb} ${theirs.status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      for (const message of theirs.causes) refusals.add(message);
      if (ours.text === theirs.text) continue;
      const where = `step ${index}, ${step.verb} of ${step.resource.plural}`;
      const difference = { where, request: theirs.request, memory: ours.text, real: theirs.text };
      return { difference, counts, events: 0, refusals };
    }
    const { difference, events } = await compareWatches(memory, real);
    return { difference: difference ?? orderOf(memory, real), counts, events, refusals };
  } finally {
    for (const { watches } of [memory, real]) for (const watch of watches.values()) watch.stop();
  }
}

function playedOn(side: Side): Played {
  return { side, memory: createMemory(), normalizer: createNormalizer(), watches: new Map() };
}

async function play(
  { side, memory, normalizer }: Played,
  step: Step,
): Promise<{ request: unknown; status: number; text: string; causes: string[] }> {
  const request = step.request(memory);
  const answer = await side.ask(request);
  memory.learn(step.resource.plural, answer.body);
  const causes = causesOf(answer.body);
  return { request, status: answer.status, causes, text: textOf(normalizer.answer(answer)) };
}

function textOf(value: unknown): string {
  return JSON.stringify(sorted(value), undefined, 1);
}

/** The messages of `details.causes`. */
function causesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'field' in value && 'message' in value && typeof value.message === 'string' ? [value.message] : [];
  return [...own, ...Object.values(value).flatMap(causesOf)];
}

/** Makes the namespace and begins watches in it: of everything, of metadata, of a name, and of a label. */
async function begin({ side, watches }: Played, resources: readonly Resource[], place: Place): Promise<void> {
  const namespace = JSON.stringify({ metadata: { name: place.namespace } });
  await side.ask({ method: 'POST', path: pathOf(NAMESPACES), user: ADMIN, body: namespace });
  for (const resource of resources) {
    const path = pathOf(resource, place.namespace);
    const { body } = await side.ask({ method: 'GET', path, user: ADMIN });
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${versionOfList(body)}`;
    const watch = async (what: string, more: string, accept?: string) => {
      const request = { method: 'GET', user: ADMIN, path: `${path}?${query}${more}`, accept } as const;
      watches.set(`${resource.plural}${what}`, await side.watch(request));
    };
    await watch('', '');
    await watch(', metadata', '', PARTIAL);
    await watch(' named a', '&fieldSelector=metadata.name%3Da');
    await watch(' in red', '&labelSelector=color%3Dred');
  }
}

function versionOfList(body: unknown): string {
  const memory = createMemory();
  memory.learn('', body);
  if (memory.listVersion === undefined) throw new TypeError(`not a list: ${JSON.stringify(body)}`);
  return memory.listVersion;
}

async function compareWatches(
  memory: Played,
  real: Played,
): Promise<{ difference: Difference | undefined; events: number }> {
  let events = 0;
  for (const [name, ours] of memory.watches) {
    const theirs = real.watches.get(name);
    if (!theirs) throw new TypeError(`there is no watch of ${name}`);
    const deadline = performance.now() + PATIENCE;
    while (theirs.events.length < ours.events.length && performance.now() < deadline) await sleep(5);
    const texts = { memory: textsOf(memory, ours), real: textsOf(real, theirs) };
    events += ours.events.length;
    if (texts.memory === texts.real) continue;
    return { difference: { where: `watch of ${name}`, request: undefined, ...texts }, events };
  }
  return { difference: undefined, events };
}

function textsOf({ normalizer }: Played, { events }: Watching): string {
  return events
    .map((event) => normalizer.event(event))
    .filter((event) => event !== undefined)
    .map((event) => JSON.stringify(sorted(event)))
    .join('\n');
}

/** Whether the same answers had the same versions, and the versions the same order. */
function orderOf(memory: Played, real: Played): Difference | undefined {
  const [ours, theirs] = [memory, real].map(({ normalizer }) => normalizer.order().join(' '));
  if (ours === undefined || theirs === undefined || ours === theirs) return undefined;
  return { where: 'the order of resource versions', request: undefined, memory: ours, real: theirs };
}
