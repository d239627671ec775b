import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, readWatch } from '../../../src/kubernetes/watch-stream.ts';

/** The bytes of a text, cut at the places given, as a network does. */
async function* cut(text: string, places: number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('the lines of a watch', () => {
  it('are whole wherever the network cuts them, within a character too', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', '"', 'é', '線', '📶'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        async (lines, places) => {
          const text = lines.map((one) => `${one}\n`).join('');
          expect(await all(readLines(cut(text, places)))).toEqual(lines);
        },
      ),
    );
  });

  it('leave out one that was cut off at the end', async () => {
    expect(await all(readLines(cut('{"a":1}\n{"b":', [3])))).toEqual(['{"a":1}']);
  });
});

describe('the events of a watch', () => {
  it('pass what is known, and skip types of the future', async () => {
    const text = [
      { type: 'ADDED', object: { a: 1 } },
      { type: 'NOVEL', object: {} },
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } },
    ]
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('');
    expect(await all(readWatch(cut(text, []), 'Thing'))).toEqual([
      { type: 'ADDED', object: { a: 1 } },
      { type: 'BOOKMARK', resourceVersion: '7' },
    ]);
  });

  it('end with the error the apiserver sends', async () => {
    const text = `${JSON.stringify({ type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'too old' } })}\n`;
    await expect(all(readWatch(cut(text, []), 'Thing'))).rejects.toMatchObject({ status: 410, reason: 'Expired' });
  });
});
