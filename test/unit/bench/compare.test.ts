import { describe, expect, it } from 'vitest';
import { compare, comparisonTable } from '../../../bench/compare.ts';

const taken = { on: '2026-11-22', cores: 2 };
const run = (sims: number, more: object) => ({ sims, ...more });

/** Of one figure of one run. */
const verdictOf = (before: object, after: object) =>
  compare({ runs: [run(1000, before)] }, { runs: [run(1000, after)] }).figures.map(({ figure, verdict }) => [
    figure,
    verdict,
  ]);

describe('a comparison of two runs of the benchmarks', () => {
  it('has each figure by where it stands, with its ratio, and runs by their number of Sims', () => {
    const before = { taken, runs: [run(1000, { operator: { cpuSeconds: 4 } })], rotation: { oneByOne: { p50: 200 } } };
    const after = {
      taken: { ...taken, cores: 8 },
      runs: [run(1000, { operator: { cpuSeconds: 6 } }), run(3000, { operator: { cpuSeconds: 13 } })],
      rotation: { oneByOne: { p50: 210 } },
    };
    expect(compare(before, after)).toEqual({
      figures: [
        { figure: 'runs 1000 Sims: operator.cpuSeconds', before: 4, after: 6, ratio: 1.5, verdict: 'worse' },
        {
          figure: 'runs 3000 Sims: operator.cpuSeconds',
          before: undefined,
          after: 13,
          ratio: undefined,
          verdict: 'new',
        },
        { figure: 'rotation.oneByOne.p50', before: 200, after: 210, ratio: 1.05, verdict: 'same' },
      ],
      settings: [{ figure: 'runs 3000 Sims: sims', before: undefined, after: 3000, ratio: undefined, verdict: 'new' }],
    });
  });

  it.each<[string, object, object, [string, string][]]>([
    ['more seconds are worse', { readySeconds: 10 }, { readySeconds: 12 }, [['runs 1000 Sims: readySeconds', 'worse']]],
    ['fewer are better', { readySeconds: 10 }, { readySeconds: 8 }, [['runs 1000 Sims: readySeconds', 'better']]],
    [
      'more a second is better',
      { simsPerSecond: 50 },
      { simsPerSecond: 90 },
      [['runs 1000 Sims: simsPerSecond', 'better']],
    ],
    ['fewer are worse', { simsPerSecond: 50 }, { simsPerSecond: 40 }, [['runs 1000 Sims: simsPerSecond', 'worse']]],
    ['a tenth is noise', { readySeconds: 10 }, { readySeconds: 11 }, [['runs 1000 Sims: readySeconds', 'same']]],
    ['what was nothing is worse', { writes: 0 }, { writes: 1 }, [['runs 1000 Sims: writes', 'worse']]],
    ['nothing stays nothing', { writes: 0 }, { writes: 0 }, [['runs 1000 Sims: writes', 'same']]],
    [
      'a call that is made no more has gone, and another is new',
      { requests: { 'GET /a': 1 } },
      { requests: { 'GET /b': 1 } },
      [
        ['runs 1000 Sims: requests.GET /b', 'new'],
        ['runs 1000 Sims: requests.GET /a', 'gone'],
      ],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(verdictOf(before, after)).toEqual(expected);
  });

  it('says what was asked for otherwise, which is no figure', () => {
    const before = { runs: [run(1000, { steady: { seconds: 65, cpuSeconds: 1 } })] };
    const after = { runs: [run(1000, { steady: { seconds: 125, cpuSeconds: 2 } })] };
    expect(comparisonTable(compare(before, after))).toBe(
      [
        'Not alike: runs 1000 Sims: steady.seconds was 65 and is 125.',
        '',
        '| | figure | before | now | ratio |',
        '|---|---|---|---|---|',
        '| worse | runs 1000 Sims: steady.cpuSeconds | 1 | 2 | 2.00 |',
        '',
        '1 worse, 0 better, 0 new, 0 gone, 0 same; what differs by no more than 10 % is the same.',
      ].join('\n'),
    );
  });

  it('tells lists apart that have runs of the same number of Sims', () => {
    const results = (cpu: number, memory: number) => ({
      runs: [run(9, { cpu })],
      cost: { steps: [run(9, { memory })] },
    });
    expect(compare(results(1, 1), results(2, 3)).figures.map(({ figure, ratio }) => [figure, ratio])).toEqual([
      ['runs 9 Sims: cpu', 2],
      ['cost.steps 9 Sims: memory', 3],
    ]);
  });

  it('shows what is worse first', () => {
    const figures = (rss: number, cpu: number) => ({ runs: [run(1000, { cpuSeconds: cpu, rssMB: rss, calls: 5 })] });
    const rows = comparisonTable(compare(figures(100, 4), figures(150, 2)))
      .split('\n')
      .filter((line) => line.includes('1000 Sims'));
    expect(rows).toEqual([
      '| worse | runs 1000 Sims: rssMB | 100 | 150 | 1.50 |',
      '| better | runs 1000 Sims: cpuSeconds | 4 | 2 | 0.50 |',
      '|  | runs 1000 Sims: calls | 5 | 5 | 1.00 |',
    ]);
  });
});
