import { describe, expect, it } from 'vitest';
import { explain, readinessOf, resultLine } from '../../../../src/sandbox/display/readiness.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 30);
const truck = { kind: 'Sim', namespace: 'edgeline-demo', name: 'truck-17' };

function sim(condition?: object, generation = 2): object {
  return {
    metadata: { name: 'truck-17', namespace: 'edgeline-demo', generation, creationTimestamp: '2026-01-01T12:00:00Z' },
    spec: { iccid: '898104' },
    ...(condition && {
      status: { conditions: [{ type: 'Synced', status: 'True', reason: 'X', message: '' }, condition] },
    }),
  };
}

const ready = { type: 'Ready', status: 'True', reason: 'Available', message: 'It works.', observedGeneration: 2 };
const waiting = { ...ready, status: 'False', reason: 'PassCodeKeyMissing', message: 'There is no key.' };

describe('readiness', () => {
  it.each([
    [
      'is what the Ready condition says',
      sim(ready),
      { ready: 'True', reason: 'Available', message: 'It works.', age: 30 },
    ],
    [
      'gives the reason when that is False',
      sim(waiting),
      { ready: 'False', reason: 'PassCodeKeyMissing', message: 'There is no key.', age: 30 },
    ],
    [
      'is unknown while the condition is about an older spec',
      sim(ready, 3),
      { ready: 'Unknown', reason: '', message: '', age: 30 },
    ],
    ['is unknown while there is no condition', sim(), { ready: 'Unknown', reason: '', message: '', age: 30 }],
    [
      'tells of an object that is gone',
      undefined,
      { ready: 'Unknown', reason: 'Missing', message: 'It has been deleted.', age: 0 },
    ],
    [
      'is unknown when the object makes no sense',
      { metadata: 7 },
      { ready: 'Unknown', reason: '', message: '', age: 0 },
    ],
  ])('%s', (_what, object, expected) => {
    expect(readinessOf(truck, object, now)).toEqual({ ...truck, ...expected });
  });
});

describe('what is told of it', () => {
  const seen = [
    readinessOf(truck, sim(ready), now),
    readinessOf({ ...truck, name: 'truck-18' }, sim(waiting), now),
    readinessOf({ ...truck, name: 'truck-19' }, sim(), now),
  ];

  it('names each that is not Ready, and why', () => {
    expect(explain(seen)).toEqual([
      'Sim edgeline-demo/truck-18 is not Ready: PassCodeKeyMissing: There is no key.',
      'Sim edgeline-demo/truck-19 is not Ready: the operator has not said anything about it yet',
    ]);
  });

  it.each([
    ['is ready when all are', seen.slice(0, 1), undefined, { ready: true }],
    ['is not when one is not', seen.slice(0, 2), undefined, { ready: false }],
    ['is not when there is nothing', [], undefined, { ready: false }],
    ['is not, and says why, when a step failed', seen.slice(0, 1), 'no Go', { ready: false, error: 'no Go' }],
  ])('in JSON %s', (_what, some, error, expected) => {
    const resources = some.map(({ kind, namespace, name, ready, reason }) => ({
      kind,
      namespace,
      name,
      ready: ready === 'True',
      reason,
    }));
    expect(JSON.parse(resultLine(some, 4.41829, error))).toEqual({ seconds: 4.418, resources, ...expected });
  });
});
