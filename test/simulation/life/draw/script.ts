import { createRandom, type Random } from '../../../../src/shadow/world/random.ts';
import type { Encore, Script, Step } from '../script.ts';
import { drawCast, type Role } from './cast.ts';
import { type Draft, put } from './draft.ts';
import { drawEncore } from './encore.ts';
import { drawFlags } from './flags.ts';
import { drawOrigins } from './origins.ts';
import { peopleActs } from './people.ts';
import { type DrawnSetting, drawSetting } from './setting.ts';
import { storyOf } from './stories/all.ts';
import { EVERY_FAULT } from './stories/every-fault.ts';
import type { Story } from './stories/story.ts';
import { drawDenials, troubles } from './trouble.ts';
import { createRole, shuffled, userActs } from './users.ts';

type Acts = readonly { readonly weight: number; readonly draw: (draft: Draft) => void }[];

/** The script of a seed: everything that will happen, as far as chance decides it. */
export function drawScript(seed: number): Script {
  const random = createRandom(seed).fork('script');
  const story = storyOf(seed);
  const drawn = drawSetting(random.fork('setting'), story?.wishes?.(random.fork('wishes')));
  const { trouble } = drawn.setting;
  const steps: Step[] = [];
  const draft: Draft = {
    random: random.fork('steps'),
    drawn,
    cast: castOf(story, drawn, random.fork('cast')),
    present: new Map(),
    at: 0,
    steps,
  };
  if (!story?.arrives) arrive(draft, story ? [50, 2000] : [50, 2000, 60_000]);
  // What users do and what befalls them: lives differ in how much of which.
  const mood = random.fork('mood');
  const amounts = story ? amountsBeside(story, mood) : amountsOf(mood);
  const moments = [
    ...Array.from({ length: amounts.users }, () => userActs),
    ...Array.from({ length: amounts.people }, () => peopleActs),
    ...Array.from({ length: amounts.troubles }, () => troubles),
  ].map((acts) => ({ acts, at: moment(mood, trouble) }));
  for (const { acts, at } of moments.toSorted((one, other) => one.at - other.at)) {
    // A recreation may have moved the clock of the draft on.
    draft.at = Math.max(at, draft.at);
    oneOf(acts, draft.random).draw(draft);
  }
  const share = story?.isAlone ? 0 : story ? 0.3 : 0.6;
  drawOrigins(draft, random.fork('origins'), share);
  drawDenials(draft, random.fork('denials'), share);
  draft.at = 0;
  story?.tell(draft);
  clearUp(draft);
  const script = {
    ...(story && { story: story.name }),
    setting: drawn.setting,
    steps: steps.toSorted((one, other) => one.at - other.at),
    encore: encoreOf(draft, random.fork('encore'), story),
  };
  // What is to meet faults of the table does all that is done.
  if (story?.name === EVERY_FAULT) return { seed, ...script };
  return { seed, ...drawFlags(script, random.fork('flags'), !story?.isAlone) };
}

function castOf(story: Story | undefined, drawn: DrawnSetting, random: Random): readonly Role[] {
  return story?.cast?.(drawn, random) ?? (story?.arrives ? [] : drawCast(drawn, random));
}

function encoreOf(draft: Draft, random: Random, story: Story | undefined): readonly Encore[] {
  return story?.encore?.({ ...draft, random }, random) ?? drawEncore(draft, random);
}

interface Amounts {
  readonly users: number;
  readonly people: number;
  readonly troubles: number;
}

function amountsOf(mood: Random): Amounts {
  return { users: mood.int(14), people: mood.pick([0, 0, 2, 5]), troubles: mood.pick([0, 0, 1, 3, 6, 12]) };
}

/** Little beside a story, and mostly nothing. */
function amountsBeside({ isAlone }: Story, mood: Random): Amounts {
  if (isAlone || mood.chance(0.6)) return { users: 0, people: 0, troubles: 0 };
  return { users: mood.int(3), people: mood.int(2), troubles: mood.int(3) };
}

/** Most is applied at once, in any order, some of it before the operator runs; the rest comes when it comes. */
function arrive(draft: Draft, spreads: readonly number[]): void {
  const { random, cast } = draft;
  const spread = random.pick(spreads);
  for (const role of shuffled(cast, random)) {
    draft.at = random.int(spread);
    if (random.chance(0.88)) createRole(draft, role);
  }
}

/** Things happen close together: that is when they get in one another's way. */
function moment(random: Random, trouble: number): number {
  const burst = random.pick([0.02, 0.1, 0.3, 0.6]);
  return Math.round(random.chance(0.6) ? (burst + random.next() * 0.05) * trouble : random.next() * 0.95 * trouble);
}

/** Before the calm, users take back most of what would keep their resources from ever being settled. */
function clearUp(draft: Draft): void {
  const { random, drawn } = draft;
  draft.at = drawn.setting.trouble - 1000;
  for (const [role, present] of draft.present) {
    for (const key of Object.keys(present.annotations)) {
      if (!/\/(paused|abandon)$/.test(key) || random.chance(0.25)) continue;
      put(draft, { what: 'patch', ref: role.ref, patch: { metadata: { annotations: { [key]: null } } } });
    }
  }
}

function oneOf(acts: Acts, random: Random): Acts[number] {
  let left = random.next() * acts.reduce((sum, { weight }) => sum + weight, 0);
  for (const act of acts) {
    left -= act.weight;
    if (left < 0) return act;
  }
  throw new RangeError('there is nothing to choose from');
}
