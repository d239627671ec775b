import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorkQueue, type Priority, type WorkQueue } from '../../../src/kubernetes/work-queue.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

const clock = new ManualClock();

/** What can be had without waiting. */
async function next(queue: WorkQueue): Promise<string | undefined> {
  const asking = new AbortController();
  const found = queue.get(asking.signal);
  await settle();
  asking.abort();
  return found;
}

describe('a key that left its place in a work queue', () => {
  it('stands behind the others when it comes again, though the queue was never idle', async () => {
    const queue = createWorkQueue({ clock, random: () => 1 });
    // It has failed before, so it is known on.
    queue.retry('a');
    for (const key of ['a', 'b', 'c']) queue.add(key, 'resync');
    queue.add('a', 'change');
    expect(await queue.get()).toBe('a');
    queue.done('a');
    queue.add('a', 'resync');
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['b', 'c', 'a']);
  });

  it('stands behind the others when it comes again after the queue was idle', async () => {
    const queue = createWorkQueue({ clock, random: () => 0.5 });
    queue.add('promoted', 'resync');
    queue.add('promoted', 'change');
    expect(await queue.get()).toBe('promoted');
    queue.retry('promoted', 'resync');
    queue.done('promoted');
    expect(await next(queue)).toBeUndefined();
    for (const key of ['first', 'second', 'promoted']) queue.add(key, 'resync');
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['first', 'second', 'promoted']);
  });

  it('waits for a share of the group that it has come to', async () => {
    let group = 'A';
    const queue = createWorkQueue({
      clock,
      random: () => 1,
      groupOf: (key) => (key === 'x' ? group : key.charAt(0)),
      limits: { ofGroup: 1, inAll: 100, spare: 1 },
    });
    queue.retry('x');
    queue.add('B1', 'resync');
    expect(await queue.get()).toBe('B1');
    for (const key of ['A1', 'x']) queue.add(key, 'resync');
    queue.add('x', 'change');
    expect(await queue.get()).toBe('x');
    queue.done('x');
    group = 'B';
    queue.add('x', 'resync');
    expect(await queue.get()).toBe('A1');
    queue.done('A1');
    expect(await next(queue)).toBeUndefined();
    queue.done('B1');
    expect(await next(queue)).toBe('x');
  });
});

const priorities = ['deletion', 'change', 'observation', 'begun', 'creation', 'resync'] as const;
const priority = fc.constantFrom<Priority>(...priorities);
const key = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), key, priority }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('get' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('done' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), key, to: fc.constantFrom('A', 'B') }) },
);

describe('whatever happens, in a work queue', () => {
  it('keys go in the order in which they came to the priority that they have', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = createWorkQueue({ clock, random: () => 1 });
        /** Of each priority, who waits. */
        const lines = new Map<Priority, string[]>(priorities.map((one) => [one, []]));
        const active = new Map<string, Priority | undefined>();
        /** Failed, and waiting for the next try; and of those under way, again due because something was observed alone. */
        const delayed = new Set<string>();
        const observed = new Set<string>();
        const given: (string | undefined)[] = [];
        const expected: (string | undefined)[] = [];
        const rank = (one: Priority) => priorities.indexOf(one);
        const standing = (name: string) => priorities.find((one) => lines.get(one)?.includes(name));
        const add = (name: string, asked: Priority) => {
          const had = standing(name);
          if (had && rank(had) <= rank(asked)) return;
          if (had) lines.set(had, lines.get(had)?.filter((other) => other !== name) ?? []);
          lines.get(asked)?.push(name);
        };
        for (const now of steps) {
          if (now.do === 'add') {
            queue.add(now.key, now.priority);
            const again = active.get(now.key);
            const isObserved = now.priority === 'observation';
            if (isObserved && !active.has(now.key) && !standing(now.key) && delayed.has(now.key)) continue;
            delayed.delete(now.key);
            if (!active.has(now.key)) add(now.key, now.priority);
            else if (!again || rank(now.priority) < rank(again)) active.set(now.key, now.priority);
            if (active.has(now.key) && isObserved && !again) observed.add(now.key);
            else if (!isObserved) observed.delete(now.key);
          } else if (now.do === 'get') {
            const first = priorities.flatMap((one) => lines.get(one) ?? [])[0];
            given.push(await next(queue));
            expected.push(first);
            if (first === undefined) continue;
            const from = standing(first);
            if (from) lines.get(from)?.shift();
            active.set(first, undefined);
          } else if (now.do === 'done' && active.has(now.key)) {
            queue.done(now.key);
            const again = active.get(now.key);
            active.delete(now.key);
            observed.delete(now.key);
            if (again) add(now.key, again);
          } else if (now.do === 'fail') {
            queue.retry(now.key);
            if (observed.delete(now.key)) active.set(now.key, undefined);
            if (active.get(now.key) === undefined && !standing(now.key)) delayed.add(now.key);
          }
        }
        expect(given).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('no group has more than its share under way, whoever comes to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const groups = new Map<string, string>();
        /** The group that a key was in when it became due. */
        const due = new Map<string, string>();
        const active = new Map<string, string>();
        const tooMany: string[] = [];
        const queue = createWorkQueue({
          clock,
          random: () => 1,
          groupOf(name) {
            const group = groups.get(name) ?? 'A';
            due.set(name, group);
            return group;
          },
          limits: { ofGroup: 1, inAll: 100, spare: 1 },
        });
        for (const now of steps) {
          if (now.do === 'add') queue.add(now.key, 'change');
          else if (now.do === 'move') groups.set(now.key, now.to);
          else if (now.do === 'fail') queue.retry(now.key);
          else if (now.do === 'done' && active.delete(now.key)) queue.done(now.key);
          else if (now.do === 'get') {
            const found = await next(queue);
            if (found === undefined) continue;
            const group = due.get(found) ?? '';
            if ([...active.values()].includes(group)) tooMany.push(found);
            active.set(found, group);
          }
        }
        expect(tooMany).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
