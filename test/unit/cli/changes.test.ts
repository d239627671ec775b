import { describe, expect, it } from 'vitest';
import { changesLines, changesMarkdown, WHERE_THE_REST_IS } from '../../../src/cli/changes/render.ts';
import { changesIn, type StoredEvent } from '../../../src/cli/changes/told.ts';
import { widthOf } from '../../../src/cli/text/width.ts';
import { parseDuration } from '../../../src/commands/arguments.ts';
import { isUnsafe } from '../../../src/unsafe.ts';
import { change, NOW } from './objects.ts';

const FILE = { columns: undefined, colours: false };
const HOUR = 3_600_000;

/** The Event that tells of `change`, changed. */
function event(more: Partial<StoredEvent> = {}, told?: unknown): StoredEvent {
  const { cause, generation, id, steps, fields } = change;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      name: 'truck-17.1',
      namespace: 'fleet',
      uid: 'e',
      resourceVersion: '1',
      annotations: { 'edgeline.dev/change': JSON.stringify(told ?? { cause, generation, id, steps, fields }) },
    },
    reason: change.reason,
    note: change.message,
    eventTime: change.at,
    regarding: { kind: 'Sim', name: 'truck-17', namespace: 'fleet', uid: 'u' },
    ...more,
  };
}

const read = (...events: StoredEvent[]) => changesIn(events, { kinds: ['Sim'], after: NOW - HOUR });
const bare = {
  cause: undefined,
  generation: undefined,
  id: undefined,
  steps: [],
  fields: [],
  more: 0,
  approval: undefined,
};

describe('what Events tell of writes', () => {
  it('is read from their annotation', () => {
    expect(read(event())).toEqual([change]);
  });

  it('is newest last, and of a series when it happened last', () => {
    const later = event({ series: { count: 3, lastObservedTime: '2026-11-22T11:59:00.000000Z' } });
    expect(read(later, event()).map(({ at, count }) => [at.slice(11, 19), count])).toEqual([
      ['11:55:00', 1],
      ['11:59:00', 3],
    ]);
  });

  it.each<[string, StoredEvent]>([
    ['of another kind', event({ regarding: { kind: 'Pod', name: 'truck-17' } })],
    ['from before', event({ eventTime: '2026-11-22T10:59:59.000000Z' })],
    ['of no time', event({ eventTime: 'soon' })],
    ['about something else', event({ reason: 'Ready', metadata: { ...event().metadata, annotations: {} } })],
  ])('is not: %s', (_, one) => {
    expect(read(one)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['a number', 7],
    ['another shape', { cause: 5 }],
  ])('is what an older version told where the annotation is %s', (_, told) => {
    expect(read(event({}, told))).toEqual([{ ...change, ...bare }]);
  });

  it('is what is readable of an annotation that somebody has spoilt', () => {
    const spoilt = {
      cause: 'SpecChanged',
      fields: [{ field: 'a' }, null, 'x'],
      steps: [1, 'setIP'],
      generation: 'three',
    };
    expect(read(event({}, spoilt))).toEqual([{ ...change, ...bare, cause: 'SpecChanged', steps: ['setIP'] }]);
  });
});

it('of what somebody wrote into an Event no more is taken than the operator writes', () => {
  const field = { field: 'f', before: 'a', after: 'b' };
  const told = {
    cause: 'x',
    steps: Array.from({ length: 99 }, () => 'setIP'),
    fields: Array.from({ length: 99 }, () => field),
  };
  const [first] = read(event({}, told));
  expect([first?.steps.length, first?.fields.length]).toEqual([24, 12]);
});

describe('changes for a person', () => {
  it.each(['constructor', '__proto__', 'toString'])('have a cause that is %s, where somebody wrote that', (cause) => {
    const changes = read(event({}, { cause }));
    const report = { changes, since: '1h', namespace: 'fleet', of: '' };
    expect(changesLines(report, FILE)[1]).toMatch(new RegExp(` ${cause}$`));
    expect(changesMarkdown(report)[2]).toContain(' |');
  });

  it('are no wider for one that is very long', () => {
    const long = { ...change, steps: ['x'.repeat(200_000)] };
    const lines = changesLines({ changes: [change, long], since: '1h', namespace: 'fleet', of: '' }, FILE);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
  });

  it('are a line each, with the fields below, and where the rest is', () => {
    expect(changesLines({ changes: [change], since: '1h', namespace: 'fleet', of: '' }, FILE)).toEqual([
      'TIME                  OBJECT        WHAT   BECAUSE',
      '2026-11-22T11:55:00Z  sim/truck-17  setIP  the spec changed (generation 3)',
      '  ipAddress: 10.0.0.17 → 10.0.0.18',
      '',
      WHERE_THE_REST_IS,
    ]);
  });

  it('name the plan by which a person approved them', () => {
    const approval = '3f0c9a1b7d52e846';
    const told = { cause: 'SpecChanged', generation: 3, steps: ['setIP'], fields: change.fields, approval };
    const changes = read(event({}, told));
    expect(changes).toEqual([{ ...change, id: undefined, approval }]);
    const [, line] = changesLines({ changes, since: '1h', namespace: 'fleet', of: '' }, FILE);
    expect(line).toContain('the spec changed (generation 3), approved by 3f0c9a1b7d52e846');
  });

  it('say so where there are none', () => {
    expect(changesLines({ changes: [], since: '2h', namespace: undefined, of: '' }, FILE)).toEqual([
      'No change is told of within the last 2h in any namespace.',
      WHERE_THE_REST_IS,
    ]);
    const of = 'sim/truck-17, what has the labels team=east';
    expect(changesLines({ changes: [], since: '2h', namespace: 'fleet', of }, FILE)[0]).toBe(
      'No change of sim/truck-17, what has the labels team=east is told of within the last 2h in namespace fleet.',
    );
  });

  it('do nothing to a terminal, and fit it', () => {
    const evil = {
      ...change,
      name: 'x',
      cause: '\u001b[31m',
      steps: ['\u202e'],
      fields: [{ field: 'f', before: '\u0007', after: 'y'.repeat(3000) }],
    };
    const lines = changesLines(
      { changes: [evil], since: '1h', namespace: undefined, of: '' },
      { columns: 60, colours: false },
    );
    expect(lines.filter((line) => isUnsafe(line) || widthOf(line) > 60)).toEqual([]);
  });

  it('are a table in Markdown', () => {
    expect(changesMarkdown({ changes: [change], since: '1h', namespace: 'fleet', of: '' })[2]).toBe(
      '| 2026-11-22T11:55:00Z | fleet | sim/truck-17 | setIP | the spec changed (generation 3) | ipAddress: 10.0.0.17 → 10.0.0.18 |',
    );
  });
});

describe('how far back', () => {
  it.each([
    ['90s', 90_000],
    ['30m', 30 * 60_000],
    ['1h30m', 90 * 60_000],
    ['1d', 24 * HOUR],
  ])('%s', (text, milliseconds) => {
    const duration = parseDuration(text);
    expect([duration.text, duration.milliseconds]).toEqual([text, milliseconds]);
  });

  it.each(['', '2', 'h', '2 h', '-1h', '1h2', '0m', '2w'])('not "%s"', (text) => {
    expect(() => parseDuration(text)).toThrow('Write a time such as 30m, 2h or 1d.');
  });
});
