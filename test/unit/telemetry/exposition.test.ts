import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposed } from '../../../src/telemetry/exposition.ts';
import { counter, gauge } from '../../../src/telemetry/families/family.ts';

const table = { requests_total: counter('Requests.', 'code'), temperature: gauge('Degrees.', 'room', 'floor') };

describe('what is asked for at a scrape', () => {
  it('is shown by metric, each with its help and type, also one without a sample', () => {
    const text = exposed(table, [
      (show) => show('temperature', { room: 'a', floor: '1' }, 20.5),
      (show) => show('temperature', { room: 'b', floor: '' }, Number.NEGATIVE_INFINITY),
    ]);
    expect(text).toBe(
      [
        '# HELP requests_total Requests.',
        '# TYPE requests_total counter',
        '',
        '# HELP temperature Degrees.',
        '# TYPE temperature gauge',
        'temperature{room="a",floor="1"} 20.5',
        'temperature{room="b"} -Inf',
        '',
        '',
      ].join('\n'),
    );
  });

  it('shows a series once, with the value told last: twice, Prometheus would refuse all of it', () => {
    const text = exposed(table, [
      (show) => show('temperature', { room: 'a', floor: '1' }, 1),
      (show) => show('temperature', { room: 'a', floor: '1' }, 2),
    ]);
    expect(text.match(/^temperature.*$/gm)).toEqual(['temperature{room="a",floor="1"} 2']);
  });

  it('keeps each value of a label within its quotes and its line, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (room, floor) => {
        const text = exposed(table, [(show) => show('temperature', { room, floor }, 1)]);
        const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
        expect(lines).toHaveLength(1);
        const [, ...values] =
          /^temperature\{room="((?:[^"\\]|\\.)*)",floor="((?:[^"\\]|\\.)*)"\} 1$/su.exec(lines[0] ?? '') ?? [];
        expect(values.map(unescaped)).toEqual([room, floor]);
      }),
    );
  });
});

function unescaped(value: string): string {
  return value.replaceAll(/\\(.)/gsu, (_, character: string) => (character === 'n' ? '\n' : character));
}
