import { formatAge } from '../../age.ts';
import { kindOf } from '../kinds.ts';
import type { Standing, State } from '../standing.ts';
import { harmless } from '../text/harmless.ts';
import type { Paint } from '../text/screen.ts';

/** The colour of a state. */
export const paintOf: Readonly<Record<State, Paint>> = {
  Ready: 'green',
  NotSynced: 'yellow',
  Changing: 'yellow',
  Outdated: 'yellow',
  NotSeen: 'yellow',
  Deleting: 'yellow',
  NotReady: 'red',
};

/** An object as commands take it: `sim/truck-17`. */
export function objectText({ kind, name }: Pick<Standing, 'kind' | 'name'>): string {
  return `${kindOf(kind).singular}/${harmless(name)}`;
}

/** How long it has been so; `-` where nothing tells. `now`: milliseconds since the epoch. */
export function sinceText(since: string | undefined, now: number): string {
  const at = Date.parse(since ?? '');
  return Number.isNaN(at) ? '-' : formatAge((now - at) / 1000);
}

/** What it warns of, where that is not in what is shown of it: of what is Ready no message is. */
export function warningText({ state, message, warning }: Standing): string | undefined {
  const isShown = warning === undefined || (state !== 'Ready' && message.includes(warning));
  return isShown ? undefined : `Warning: ${warning}`;
}

/** What it waits for, in a few words. */
export function waitingText({ waiting }: Pick<Standing, 'waiting'>): string {
  if (!waiting) return '-';
  if (waiting.others !== undefined) {
    const about = waiting.until === undefined ? '' : `, until about ${waiting.until}`;
    return `its turn, ${waiting.others} before it${about}`;
  }
  if (waiting.until !== undefined) return `until ${waiting.until}`;
  return waiting.for === 'person' ? 'you' : 'the operator';
}

/** The same as the end of a sentence: `waits until …`, `waits for you`. */
export function waitsText({ waiting }: Pick<Standing, 'waiting'>): string {
  const isForTime = waiting?.others === undefined && waiting?.until !== undefined;
  return `waits ${isForTime ? '' : 'for '}${waitingText({ waiting })}`;
}
