import { expect, test } from 'vitest';
import { createKnowledge } from '../../../src/reconcile/knowledge.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Thing extends ManagedObject {
  readonly status?: ManagedObject['status'] & { readonly colour?: string };
}

function thing(status?: Thing['status']): Thing {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a resource as is asked
  return { metadata: { name: 'thing', uid: 'one' }, spec: {}, status } as unknown as Thing;
}

const recorded = thing({ id: '1', uid: 'one', colour: 'red' });

function store() {
  const clock = new ManualClock();
  return { clock, knowledge: createKnowledge<Thing, string>(clock, ({ status }) => status?.colour) };
}

test('what the status recorded is known of its counterpart, and older than everything', () => {
  const { knowledge } = store();
  const known = { source: 'recorded', at: Number.NEGATIVE_INFINITY, value: 'red', isFresh: false };
  expect(knowledge.known(recorded, '1')).toEqual(known);
});

test.each([
  ['there is no status', thing(), '1'],
  ['it is about another counterpart', recorded, '2'],
  ['it was written for another object', thing({ id: '1', uid: 'other', colour: 'red' }), '1'],
  ['it does not say', thing({ id: '1', uid: 'one' }), '1'],
])('nothing is known by the status where %s', (_, object, id) => {
  expect(store().knowledge.known(object, id)).toBeUndefined();
});

test('what was learnt comes before what is recorded, until a write takes it away', async () => {
  const { clock, knowledge } = store();
  await clock.advance(100);
  knowledge.learn(recorded, '1', { source: 'read', at: 60, value: 'green', isFresh: true });
  expect(knowledge.known(recorded, '1')).toEqual({ source: 'read', at: 60, value: 'green', isFresh: true });
  knowledge.used(recorded);
  expect(knowledge.known(recorded, '1')?.isFresh).toBe(false);
  knowledge.learn(recorded, '1', { source: 'answered', value: 'blue' });
  expect(knowledge.known(recorded, '1')).toEqual({ source: 'answered', at: 100, value: 'blue', isFresh: false });
  knowledge.forget(recorded, '1');
  expect(knowledge.known(recorded, '1')).toBeUndefined();
  expect(knowledge.isForgotten(recorded, '1')).toBe(true);
});

test('what is known of one counterpart says nothing of another', () => {
  const { knowledge } = store();
  knowledge.learn(recorded, '2', { source: 'read', value: 'green' });
  expect(knowledge.known(recorded, '3')).toBeUndefined();
  expect(knowledge.known(recorded, '1')?.source).toBe('recorded');
  knowledge.forget(recorded, '2');
  expect(knowledge.isForgotten(recorded, '1')).toBe(false);
});

test('writes are counted, so that a reading that began before one can be told', () => {
  const { knowledge } = store();
  const counts = [knowledge.writes(recorded)];
  knowledge.learn(recorded, '1', { source: 'read', value: 'green' });
  counts.push(knowledge.writes(recorded));
  knowledge.learn(recorded, '1', { source: 'answered', value: 'blue' });
  counts.push(knowledge.writes(recorded));
  knowledge.forget(recorded, '1');
  counts.push(knowledge.writes(recorded));
  expect(counts).toEqual([0, 0, 1, 2]);
});

test('nothing is kept of what is gone', () => {
  const { knowledge } = store();
  knowledge.learn(thing(), '1', { source: 'read', value: 'green' });
  knowledge.drop('one');
  expect(knowledge.known(thing(), '1')).toBeUndefined();
});
