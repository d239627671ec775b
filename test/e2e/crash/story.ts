import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import type { Point } from './director.ts';
import { outcomeOf } from './outcome.ts';
import type { Scene } from './scene.ts';

/** What happens to a Sim, or another resource, to be interrupted at each of the calls it takes. */
export interface Story {
  /** Brings the Sim where the story begins. Runs undisturbed. */
  begin?(subject: string): Promise<void>;
  /** What a person does then. */
  act(subject: string): Promise<void>;
  /** How it ends when nothing goes wrong. */
  readonly end: object;
  /** What a person does while the operator is down. */
  meanwhile?(subject: string): Promise<void>;
  /** How it ends when it was interrupted, where that differs. */
  readonly endAfterAll?: object;
  /** How it stands; a Sim unless given. */
  look?(subject: string): Promise<object>;
  /** Whether a call is one to be interrupted at; all unless given. */
  isPoint?(route: string): boolean;
  /**
   * Whether a call's request may also arrive late, after the next operator has looked. What a late write breaks that the
   * next operator has found in order is drift, and found by the next poll.
   */
  mayArriveLate?(route: string): boolean;
}

/** One way to interrupt a story. */
export interface Interruption extends Point {
  /**
   * What becomes of the request held when the operator is killed: it never arrives, it arrives before the next operator
   * starts, or it arrives late, when the next one has looked already. An answer is lost in any case.
   */
  readonly fate: 'lost' | 'arrives' | 'arrives late';
}

/** One interrupted Sim. */
interface Interrupted {
  readonly subject: string;
  readonly title: string;
  readonly interruption: Interruption;
}

/** What came of the interruptions, by what they were: `after PUT …`, `before POST …, which arrives late`. */
export interface Interruptions {
  /** The calls of the story when nothing goes wrong. */
  readonly calls: readonly string[];
  /** The calls of each interrupted Sim since the kill. */
  readonly callsSince: ReadonlyMap<string, readonly string[]>;
  /** The writes to each one's account that reached the service, from the beginning. */
  readonly writes: ReadonlyMap<string, readonly string[]>;
}

/** How long the next operator is given after its first look before a late request arrives. Milliseconds. */
const LATE = 1500;

/**
 * Runs a story once unharmed to learn its calls, then once for each way to interrupt it, kills the operator when each Sim
 * stands at its point, starts another, and waits until all stories have come to their end.
 */
export async function interrupt(scene: Scene, story: Story): Promise<Interruptions> {
  const { director } = scene;
  const [first = '', ...others] = scene.subjects;
  const look = async (subject: string) => (story.look ? story.look(subject) : outcomeOf(scene, subject));
  const done = async (subject: string) => expect(await look(subject)).toEqual(story.end);
  const operator = scene.startOperator();
  await story.begin?.(first);
  director.follow(first);
  await story.act(first);
  await eventually(() => done(first), { timeoutSeconds: 90 });
  const calls = [...director.calls(first)];

  const ways = interruptionsOf(calls, story.mayArriveLate ?? (() => true));
  const points = ways.filter(({ route }) => story.isPoint?.(route) ?? true);
  const cases = points.map((interruption, index): Interrupted => {
    const subject = others[index];
    if (subject === undefined) throw new Error('the scene has no room for so many interruptions');
    const { route, nth, when, fate } = interruption;
    const title = `${when} ${route}${nth > 1 ? ` (${nth})` : ''}${when === 'before' ? `, which ${fate}` : ''}`;
    return { subject, title, interruption };
  });
  await Promise.all(cases.map(async ({ subject }) => story.begin?.(subject)));
  for (const { subject, interruption } of cases) director.follow(subject, interruption);
  await Promise.all(cases.map(({ subject }) => story.act(subject)));
  await Promise.all(
    cases.map(({ subject, interruption }) =>
      eventually(
        async () => {
          if (director.isHeld(subject)) return;
          if (hasToCome(interruption)) throw new Error(`${subject} has not come to ${interruption.route}`);
          await done(subject);
        },
        { timeoutSeconds: 90 },
      ),
    ),
  );
  await operator.kill();
  for (const { subject, interruption } of cases) {
    director.follow(subject);
    if (interruption.fate !== 'arrives late') {
      director.decide(subject, interruption.fate === 'lost' ? 'drop' : 'release');
    }
  }
  await Promise.all(cases.map(async ({ subject }) => story.meanwhile?.(subject)));
  scene.startOperator();
  await Promise.all(cases.filter(({ interruption }) => interruption.fate === 'arrives late').map(arriveLate));
  const expected = story.endAfterAll ?? story.end;
  await eventually(
    async () => {
      const outcomes = cases.map(async ({ subject, title }) => ({ title, outcome: await look(subject) }));
      const wrong = (await Promise.all(outcomes)).filter(({ outcome }) => !isDeepStrictEqual(outcome, expected));
      expect(wrong).toEqual(wrong.map(({ title }) => ({ title, outcome: expected })));
    },
    { timeoutSeconds: 90 },
  );
  const writes = cases.map(async ({ subject, title }) => [title, await scene.writes(subject)] as const);
  return {
    calls,
    callsSince: new Map(cases.map(({ subject, title }) => [title, director.calls(subject)])),
    writes: new Map(await Promise.all(writes)),
  };

  async function arriveLate({ subject }: Interrupted): Promise<void> {
    await eventually(
      () => {
        if (!director.calls(subject).some((call) => call.startsWith('GET '))) throw new Error('not looked yet');
      },
      { timeoutSeconds: 90 },
    );
    await sleep(LATE);
    director.decide(subject, 'release');
  }
}

/** Every way to interrupt a story of these calls. Which fate a request has matters only where it changes something. */
function interruptionsOf(calls: readonly string[], mayArriveLate: (route: string) => boolean): Interruption[] {
  const counts = new Map<string, number>();
  return calls.flatMap((route) => {
    const nth = (counts.get(route) ?? 0) + 1;
    counts.set(route, nth);
    const before = (fate: Interruption['fate']): Interruption => ({ route, nth, when: 'before', fate });
    const after: Interruption = { route, nth, when: 'after', fate: 'lost' };
    if (!isWrite(route)) return [before('lost'), after];
    if (isKubernetes(route) || !mayArriveLate(route)) return [before('lost'), before('arrives'), after];
    return [before('lost'), before('arrives'), before('arrives late'), after];
  });
}

/** Writes of Kubernetes are conditional, or only tell what was seen. */
function isKubernetes(route: string): boolean {
  return /^PATCH (Sim|MobileGateway|SiteCertificate)\b/.test(route);
}

/** How often a list is read depends on the moment, and whether a status says in between what takes a while; every other call has to come. */
function hasToCome({ route, nth }: Point): boolean {
  return isWrite(route) && (nth === 1 || !route.endsWith('/status'));
}

function isWrite(route: string): boolean {
  return !route.startsWith('GET ');
}
