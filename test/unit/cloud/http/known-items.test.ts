import { describe, expect, it } from 'vitest';
import { createKnownList } from '../../../../src/cloud/http/known-items.ts';
import { createListMemory } from '../../../../src/cloud/list/memory.ts';

describe('what is kept of a list', () => {
  it('is no page whose items are longer than any service has reason to send', () => {
    const known = createKnownList();
    known.keep(0, { text: Buffer.from('x'.repeat(10_000)), bounds: [0, 10_000], items: [1] });
    known.done();
    expect(known.before(0)).toBeUndefined();
  });

  const page = (text: string) => ({ text: Buffer.from(text), bounds: [], items: [] });

  it('is no more than there is memory for, and is let go when lists need that', () => {
    const memory = createListMemory(1000);
    const known = createKnownList(memory);
    for (const from of [0, 1, 2]) known.keep(from, page('x'.repeat(600)));
    known.done();
    const kept = () => [0, 1, 2].filter((from) => known.before(from));
    expect(kept()).toEqual([0, 1]);
    memory.open().take(400);
    expect(kept()).toEqual([]);
    known.keep(0, page('x'.repeat(600)));
    known.done();
    expect(kept()).toEqual([0]);
  });

  it('is what the last one had, at the offsets that it was asked for with', () => {
    const known = createKnownList();
    for (let offset = 1; offset < 100; offset++) {
      known.keep(0, page('a'));
      known.keep(offset, page('b'));
      known.done();
    }
    const kept = Array.from({ length: 100 }, (_, from) => from).filter((from) => known.before(from));
    expect(kept).toEqual([0, 99]);
  });

  it('is nothing of one that failed, nor of one that was begun anew', () => {
    const known = createKnownList();
    known.keep(0, page('a'));
    known.keep(5, page('b'));
    known.keep(0, page('c'));
    known.done();
    expect([known.before(0)?.text.toString(), known.before(5)]).toEqual(['c', undefined]);
    known.forget();
    expect(known.before(0)).toBeUndefined();
  });

  it.each([
    ['a buffer with room for more', Buffer.alloc(200_000).subarray(0, 100_000)],
    ['the memory that short texts share', Buffer.from('x'.repeat(100))],
  ])('is no more than the text, whatever it was read into: %s', (_, text) => {
    const known = createKnownList();
    known.keep(0, { text, bounds: [], items: Array.from({ length: 100 }) });
    known.done();
    const kept = known.before(0)?.text;
    expect({ bytes: kept?.buffer.byteLength, isSame: kept?.equals(text) }).toEqual({
      bytes: text.length,
      isSame: true,
    });
  });
});
