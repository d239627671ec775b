import { OUTPUT_VERSION, type Output, toJson, toYaml } from '../output.ts';
import type { Presence } from '../presence.ts';
import { isReady, isSimplyReady, type Standing } from '../standing.ts';
import { harmless } from '../text/harmless.ts';
import { painted, type Screen } from '../text/screen.ts';
import { objectJson } from './report.ts';
import { detailLines, folded } from './table.ts';
import { objectText, paintOf, waitsText } from './words.ts';

/** What `--watch` tells: how an object is now, that one is gone, or that who looks after them changed. */
export type StatusChange =
  | { readonly type: 'Changed'; readonly before: Standing | undefined; readonly now: Standing }
  | { readonly type: 'Gone'; readonly before: Standing }
  | { readonly type: 'Operator'; readonly presence: Presence };

/** Whether a person is to be told: of what is not simply Ready, of what has become so, and of warnings. Pure. */
export function isNews(before: Standing | undefined, now: Standing, showAll: boolean): boolean {
  if (before && isAlike(before, now)) return false;
  return showAll || !isSimplyReady(now) || (before !== undefined && !isSimplyReady(before));
}

function isAlike(a: Standing, b: Standing): boolean {
  return (
    a.state === b.state &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.warning === b.warning &&
    a.waiting?.others === b.waiting?.others
  );
}

/** A change as `-o` has it. `at`: wall clock, milliseconds since the epoch. */
export async function changeText(change: StatusChange, output: Output, screen: Screen, at: number): Promise<string> {
  if (output === 'json') return toJson(changeJson(change, at), 'one');
  if (output === 'yaml') return `---\n${await toYaml(changeJson(change, at))}`;
  return `${changeLines(change, screen, at).join('\n')}\n`;
}

function changeJson(change: StatusChange, at: number): object {
  const head = { apiVersion: OUTPUT_VERSION, kind: 'StatusChange', type: change.type, at: new Date(at).toISOString() };
  switch (change.type) {
    case 'Changed':
      return { ...head, before: change.before?.state ?? null, object: objectJson(change.now) };
    case 'Gone':
      return { ...head, before: change.before.state, object: objectJson(change.before) };
    case 'Operator':
      return { ...head, operator: change.presence };
  }
}

/** Lines for a person: time, object, from which state to which, and why. Pure. */
export function changeLines(change: StatusChange, screen: Screen, at: number): string[] {
  const time = new Date(at).toISOString().slice(11, 19);
  if (change.type === 'Operator') {
    const { messages, state } = change.presence;
    const said = messages.length > 0 ? messages : [state === 'Running' ? 'The operator runs.' : 'Nothing is known.'];
    return said.flatMap((line) => folded(`${time}  ! ${line}`, '', screen));
  }
  const shown = change.type === 'Gone' ? change.before : change.now;
  const what = [harmless(shown.namespace ?? ''), objectText(shown)].filter(Boolean).join(' ');
  if (change.type === 'Gone') return folded(`${time}  ${what}  is gone`, '', screen);
  const from = change.before === undefined || change.before.state === shown.state ? '' : `${change.before.state} → `;
  const waiting = shown.waiting && !isReady(shown) ? `, ${waitsText(shown)}` : '';
  const [first = '', ...rest] = folded(
    `${time}  ${what}  ${from}${shown.state}${shown.reason === '' ? '' : ` (${harmless(shown.reason)})`}${waiting}`,
    '',
    screen,
  );
  return [painted(screen, paintOf[shown.state], first), ...rest, ...detailLines(shown, screen)];
}
