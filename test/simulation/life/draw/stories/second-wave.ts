import { type Draft, put } from '../draft.ts';
import { appear, removeAt } from './parts.ts';
import { simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Then as many are deleted as an hour may have. */
const FIRST_WAVE = 2 * MINUTE;
const MOST_AN_HOUR = 3;
const RECORD = 'patch cloudaccounts/status';

/**
 * As many are deleted as an hour may have, and minutes later more: whatever became of the process and of what it put on
 * record in between, those are held.
 */
export const secondWave: Story = {
  name: 'second wave',
  wishes(random) {
    const maxPerHour = 1 + random.int(MOST_AN_HOUR);
    return {
      namespaces: 1,
      isTight: false,
      brakes: { deletions: { maxPerHour, maxPercent: 100 } },
      setting: { replicas: 1, leaderElect: random.chance(0.3), trouble: 20 * MINUTE },
    };
  },
  cast: () => simRoles(7),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    for (const role of cast) appear(draft, role, { deletionPolicy: 'Delete' }, 500 + random.int(1000));
    const [account] = drawn.accounts;
    const most = mostOf(account?.spec);
    const [first, second] = [cast.slice(0, most), cast.slice(most)];
    for (const role of first) removeAt(draft, role, FIRST_WAVE + random.int(2 * SECOND));
    const end = inBetween(draft);
    // Its account's status is written anew within a minute of each change.
    const begin = end + random.pick([SECOND, 2 * MINUTE, 5 * MINUTE]);
    for (const role of second) if (random.chance(0.7)) removeAt(draft, role, begin + random.int(30 * SECOND));
  },
  encore: () => [],
};

function mostOf(spec: Readonly<Record<string, unknown>> | undefined): number {
  const { deletions }: { deletions?: { maxPerHour?: unknown } } = Object(spec?.['brakes']);
  return typeof deletions?.maxPerHour === 'number' ? deletions.maxPerHour : MOST_AN_HOUR;
}

/** What happens between the waves, and when it is over. */
function inBetween(draft: Draft): number {
  const { random } = draft;
  const after = FIRST_WAVE + random.pick([5 * SECOND, MINUTE, 3 * MINUTE]);
  const restart = 500 + random.int(5000);
  const kill = (at: number) => put(draft, { what: 'kill', process: 0, on: undefined, restart }, at);
  const clock = (milliseconds: number) => put(draft, { what: 'step clock', process: 0, milliseconds }, after);
  const what = random.int(5);
  if (what === 0) kill(after);
  if (what === 1) clock(random.pick([75, 48 * 60]) * MINUTE);
  if (what === 2) {
    clock(-random.pick([75, 48 * 60]) * MINUTE);
    kill(after + 10 * SECOND);
    return after + 10 * SECOND;
  }
  if (what < 3) return after;
  // A record arrives long after its connection was cut, and what was recorded meanwhile is older than it.
  const milliseconds = 30 * SECOND + random.int(MINUTE);
  const late = { what: 'fault', to: 'kubernetes', route: RECORD, fault: 'delayed-arrival', count: 1 } as const;
  put(draft, { ...late, skip: what - 3, milliseconds, lasts: 30 * SECOND }, FIRST_WAVE - 100);
  kill(FIRST_WAVE + milliseconds + 5 * SECOND);
  return FIRST_WAVE + milliseconds + 10 * SECOND;
}
