import type { Arrival } from '../../../src/shadow/service/types.ts';
import type { Message } from '../../../src/shadow/world/messages.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { tokenOf } from './invariants/limits.ts';

/** What an operator does that has nothing to do. */
export interface Calmness {
  /** The service carries out a request. */
  arrived(message: Message, outcome: Arrival['outcome']): void;
  /** Begins to look. */
  begin(): void;
  /** So much is normal: from now on no more may be due. */
  half(): void;
  /** Call after each thing that happens. */
  looked(): void;
  /** What it did since it was begun that is more than watching. */
  findings(): string[];
}

interface Sample {
  readonly at: number;
  readonly happened: number;
  readonly messages: number;
}

/** Between two requests for the same: the shortest poll, with its scatter. Milliseconds. */
const LEAST = 50_000;
/** The same between two tries of what is refused, at the end of a backoff. Milliseconds. */
const LEAST_OF_TRIES = 10_000;
/** What is looked at for a try that is refused: what is so before, and what came of it. */
const LOOKS_OF_A_TRY = 2;
/** What each process does by the clock: it looks whether anybody waits in silence, and after its Leases. */
const TICKS_A_SECOND = 1;
/**
 * A request that waits for its turn has no timer of its own, for the first in the line has one for all: so long in all,
 * there may be fewer. Milliseconds.
 */
const IN_LINE = 10_000;
/** Of the list of SIMs, one: who asks for it wants to know whether it may. */
export const LOOKS_AT_CREDENTIALS = /\/commonserviceitem\?.*%22Count%22%3A1%2C/;
/** What follows a look at credentials comes within this, also where the look came before all was calm. Milliseconds. */
const AFTER_LOOK = 60_000;
/** A message is on its way in at most so many parts, each with its timers. */
const PARTS_OF_A_MESSAGE = 10;

/**
 * `readersOf`: how many resources look for themselves at what is asked for under this path. `isTight`: what asks for sites may
 * wait in line for an hour. `isShared`: whether accounts may share an hour.
 */
export function createCalmness(
  world: World,
  authorization: () => string | undefined,
  readersOf: (target: string) => number,
  { isTight, isShared }: { readonly isTight: boolean; readonly isShared: () => boolean },
): Calmness {
  let sent: { readonly message: Message; readonly at: number; readonly by: string; readonly isRefused: boolean }[] = [];
  let first: Sample | undefined;
  /** Looks at credentials. */
  let verified: { readonly at: number; readonly by: string }[] = [];

  /** For how long there were so many timers, in the first half and in the second: what is on its way has some, too. */
  let lasted: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  let last: { readonly at: number; readonly timers: number } | undefined;
  let isSecond = false;
  /** What is refused is tried as soon again as at first, once credentials are taken again. */
  let isTakenAnew = false;

  /** So long as it takes until something else happens. */
  function looked(): void {
    const now = world.now();
    if (last) {
      const times = lasted[isSecond ? 1 : 0];
      times.set(last.timers, (times.get(last.timers) ?? 0) + now - last.at);
    }
    last = { at: now, timers: world.processes.reduce((sum, process) => sum + process.timers, 0) };
  }

  function sample(): Sample {
    return { at: world.now(), happened: world.happened, messages: world.messages };
  }

  return {
    arrived(message, outcome) {
      // The first of two, which asks how to authorize.
      if (outcome === 401) return;
      const at = world.now();
      const by = `${message.process} ${tokenOf(authorization())}`;
      if (LOOKS_AT_CREDENTIALS.test(message.target)) {
        verified.push({ at, by });
        lasted[0].clear();
        isTakenAnew = true;
      }
      if (first) sent.push({ message, at, isRefused: typeof outcome === 'number' && outcome >= 400, by });
    },
    begin() {
      sent = [];
      first = sample();
      const since = first.at - AFTER_LOOK;
      verified = verified.filter(({ at }) => at >= since);
      lasted = [new Map(), new Map()];
      last = undefined;
      isSecond = false;
      isTakenAnew = false;
      looked();
    },
    half() {
      if (first) looked();
      isSecond = true;
    },
    looked() {
      if (first) looked();
    },
    findings() {
      if (!first) return [];
      looked();
      const end = sample();
      const seconds = (end.at - first.at) / 1000;
      const found: string[] = [];
      const asked = new Map<string, number[]>();
      // Each try that was refused has looks of its own at what is so, beside those that come by the clock: before it, and at
      // once after it, in as many pages as a slow account takes.
      const refused = Map.groupBy(
        sent.filter(({ message: { verb }, isRefused }) => verb !== 'GET' && isRefused),
        ({ by }) => by,
      );
      // A look at the credentials of an account whose access is new compares what it shows with what is on record.
      const compared = Map.groupBy(verified, ({ by }) => by);
      const looks = new Map<string, number>();
      for (const { message, at, by, isRefused } of sent) {
        const { verb, target, route, body = '' } = message;
        if (verb !== 'GET' && !isRefused) found.push(`${by} sends ${route}`);
        // Of what is to be created the body says what it is, and the path does not.
        const key = `${by} ${verb} ${target} ${verb === 'POST' ? body : ''}`;
        const times = asked.get(key) ?? [];
        // Of what a list does not show: a Sim looks for itself at its gateway, and a rival at what it would have.
        const earlier = times.at(-readersOf(target));
        const isEarly =
          earlier !== undefined && at - earlier < (isRefused ? (isTakenAnew ? 0 : LEAST_OF_TRIES) : LEAST);
        const looked = looks.get(key) ?? 0;
        const ofTries = LOOKS_OF_A_TRY * (refused.get(by)?.length ?? 0);
        const ofAccount = LOOKS_AT_CREDENTIALS.test(target) ? 0 : (compared.get(by)?.length ?? 0);
        if (isEarly && verb === 'GET' && looked < ofTries + ofAccount) {
          looks.set(key, looked + 1);
          continue;
        }
        asked.set(key, [...times, at]);
        if (isEarly) found.push(`${by} sends ${route} again after ${((at - earlier) / 1000).toFixed(1)} s`);
      }
      const ticks = end.happened - first.happened - PARTS_OF_A_MESSAGE * (end.messages - first.messages);
      const most = TICKS_A_SECOND * world.processes.length * seconds;
      if (ticks > most)
        found.push(`${ticks} things happen in ${seconds.toFixed(0)} s, and at most ${most.toFixed(0)} are due`);
      // An account whose credentials are taken again has its lists from then on: what there was before says nothing.
      const [before, now] = [leastOf(lasted[0]), leastOf(lasted[1])];
      // What waited in line with others had no timer, and has one again until it is asked for the next time.
      // And a line that begins to wait for the hour has an alarm.
      const ofHours = sent.filter(({ message: { target } }) => target.includes('/webaccel/'));
      const waited = isTight ? ofHours.length + 1 : 0;
      // What one account has on record of an hour, others show a minute later.
      const shown = isShared() ? new Set(sent.map(({ by }) => by)).size : 0;
      if (before !== undefined && now !== undefined && now > before + waited + shown)
        found.push(`${before} timers become ${now} within ${seconds.toFixed(0)} s`);
      first = undefined;
      return found;
    },
  };
}

/** The fewest timers, by how long there were so many, other than for a moment; undefined when a moment is all there was. */
function leastOf(lasted: ReadonlyMap<number, number>): number | undefined {
  let less = 0;
  for (const [timers, milliseconds] of [...lasted].toSorted(([one], [other]) => one - other)) {
    less += milliseconds;
    if (less > IN_LINE) return timers;
  }
  return undefined;
}
