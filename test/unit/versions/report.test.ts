import { describe, expect, it } from 'vitest';
import { versionsPageOf } from '../../../scripts/versions-doc.ts';
import { outcomeOf, type VersionResult, withResult } from '../../versions/report.ts';

type Test = readonly [name: string, status: string];

const file = (name: string, status: string, tests: readonly Test[], message = '') => ({
  name: `/root/${name}`,
  status,
  message,
  assertionResults: tests.map(([fullName, ofTest]) => ({ fullName, status: ofTest })),
});
const outcome = (...testResults: readonly object[]) => outcomeOf({ testResults }, '/root');

describe('what became of the tests', () => {
  it('is counted, and named with the file', () => {
    const a = file('a.test.ts', 'failed', [
      ['it holds', 'passed'],
      ['it breaks', 'failed'],
    ]);
    const b = file('b.test.ts', 'passed', [
      ['it holds', 'passed'],
      ['needs 1.33', 'skipped'],
    ]);
    expect(outcome(a, b)).toEqual({
      passed: 2,
      failed: ['a.test.ts: it breaks'],
      notApplicable: ['b.test.ts: needs 1.33'],
    });
  });

  it('is a failure of all that did not run because something else failed', () => {
    expect(outcome(file('a.test.ts', 'failed', [['it holds', 'skipped']], 'no such kind'))).toEqual({
      passed: 0,
      failed: ['a.test.ts: it holds (did not run)'],
      notApplicable: [],
    });
  });

  it('is a failure where a file has no tests because it can not be read', () => {
    expect(outcome(file('a.test.ts', 'failed', [], 'SyntaxError: x\n  at y')).failed).toEqual([
      'a.test.ts: SyntaxError: x',
    ]);
  });

  it('is nothing to record when no test ran', () => {
    expect(() => outcome()).toThrow('no test ran');
  });
});

const result = (kubernetes: string, more: Partial<VersionResult> = {}): VersionResult => ({
  kubernetes,
  passed: 7,
  failed: [],
  notApplicable: [],
  on: '2026-11-25',
  command: 'npm run x',
  ...more,
});

describe('the results', () => {
  it('have one row a minor version, in order', () => {
    const added = withResult([result('1.34.4'), result('1.32.13', { passed: 1 })], result('1.32.14'));
    expect(added).toEqual([result('1.32.14'), result('1.34.4')]);
  });

  it('are a table, with the names of what failed and of what is not applicable, and the versions that did not run', () => {
    const results = [
      result('1.32.13', { failed: ['a.test.ts: *it* breaks'] }),
      result('1.34.4', { notApplicable: ['b.test.ts: before 1.34'] }),
    ];
    const page = versionsPageOf(results, { oldest: 30, tested: ['1.33.1', '1.35.4'], own: '1.34.4' });
    expect(
      page.slice(page.indexOf('| Kubernetes'), page.indexOf('## What')),
    ).toBe(`| Kubernetes | passed | failed | not applicable | date | command |
|---|---|---|---|---|---|
| 1.32.13 | 7 | 1 | 0 | 2026-11-25 | \`npm run x\` |
| 1.34.4 | 7 | 0 | 1 | 2026-11-25 | \`npm run x\` |

On 1.32.13, failed:

- a.test.ts: \\*it\\* breaks

On 1.34.4, not applicable:

- b.test.ts: before 1.34

There is no such run yet on 1.30, 1.31, 1.33, 1.35.
All tests, these among them, run on 1.34.4 before each change ([.ci/run](../../.ci/run)).

`);
  });
});
