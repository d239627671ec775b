import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { kindOf } from '../../../src/cli/kinds.ts';
import { toYaml } from '../../../src/cli/output.ts';
import type { Presence } from '../../../src/cli/presence.ts';
import { standingOf } from '../../../src/cli/standing.ts';
import { changeLines, changeText, isNews } from '../../../src/cli/status/changes.ts';
import { statusMarkdown } from '../../../src/cli/status/markdown.ts';
import { exitCodeOf, reportJson, reportOf } from '../../../src/cli/status/report.ts';
import { statusTable } from '../../../src/cli/status/table.ts';
import { widthOf } from '../../../src/cli/text/width.ts';
import type { Condition } from '../../../src/kubernetes/objects.ts';
import { isUnsafe } from '../../../src/unsafe.ts';
import { condition, NOW, readyStatus, sim, waitingStatus } from './objects.ts';

const running: Presence = { state: 'Running', messages: [], unattended: [] };
const away: Presence = {
  state: 'NotRunning',
  messages: ['No operator looks after namespace fleet.'],
  unattended: ['fleet'],
};
const FILE = { columns: undefined, colours: false };
const SIM = kindOf('Sim');

const truck = standingOf(SIM, sim('truck-17', waitingStatus));
const van = standingOf(SIM, sim('van-03', readyStatus));
const report = reportOf(['Sim', 'MobileGateway'], [truck, van], running);

const hostile = standingOf(
  SIM,
  sim('truck-18', {
    observedGeneration: 2,
    conditions: [
      condition('Ready', 'False', 'Bad\u001b[31m', 'One\n| two | \u202eevil \u001b]0;title\u0007 <b>トラック</b>'),
      condition('Stalled', 'True', 'Bad', 'x'),
    ],
  }),
);

describe('the table of status', () => {
  it('shows what is not Ready, why, since when, for what it waits, what to do, and how many there are', () => {
    expect(statusTable(report, { showAll: false, namespace: undefined, screen: FILE, now: NOW })).toEqual([
      'NAMESPACE  OBJECT        STATE     REASON           SINCE  WAITS FOR',
      'fleet      sim/truck-17  NotReady  GatewayNotFound  5m     you',
      '  There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
      '  Do: Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
      '',
      'Sim  1/2 ready',
    ]);
  });

  it('shows all where asked, and on top that nobody looks after them', () => {
    const all = reportOf(['Sim'], [van], away, [{ kind: 'ClusterCloudAccount', why: 'you may not list them' }]);
    expect(statusTable(all, { showAll: true, namespace: 'fleet', screen: FILE, now: NOW })).toEqual([
      '! No operator looks after namespace fleet.',
      '! ClusterCloudAccount: you may not list them; not shown.',
      'OBJECT      STATE  REASON     SINCE  WAITS FOR',
      'sim/van-03  Ready  Available  5m     -',
      '',
      'Sim  1/1 ready',
    ]);
  });

  it('says once what differs only by the name in a command, and by the place in a queue', () => {
    const held = (name: string, message: string) =>
      standingOf(
        SIM,
        sim(name, { observedGeneration: 2, conditions: [condition('Ready', 'False', 'DeletionHeld', message)] }),
      );
    const all = ['a', 'b'].map((name) =>
      held(name, `If a is not meant: kubectl patch -n fleet sim ${name} --type merge`),
    );
    const queued = [7, 8].map((place) =>
      held(
        `q-${place}`,
        `Waiting for its turn: ${place} others were before it at 2026-11-22T12:00:00Z. It continues at about 2026-11-22T12:0${place}:00Z.`,
      ),
    );
    const shown = statusTable(reportOf(['Sim'], [...all, ...queued], running), {
      showAll: false,
      namespace: 'fleet',
      screen: FILE,
      now: NOW,
    });
    expect(shown.filter((line) => line.startsWith('  ') && !line.startsWith('  Do'))).toEqual([
      '  If a is not meant: kubectl patch -n fleet sim NAME --type merge',
      '  Waiting for its turn: N others were before it at TIME. It continues at about TIME.',
    ]);
  });

  it('says once what several in a row say alike', () => {
    const names = ['a', 'b', 'c'].map((name) => standingOf(SIM, sim(name, undefined)));
    const lines = statusTable(reportOf(['Sim'], names, running), {
      showAll: false,
      namespace: 'fleet',
      screen: FILE,
      now: NOW,
    });
    expect(lines.slice(0, 5)).toEqual([
      'OBJECT  STATE    REASON  SINCE  WAITS FOR',
      'sim/a   NotSeen  -       60m    the operator',
      'sim/b   NotSeen  -       60m    the operator',
      'sim/c   NotSeen  -       60m    the operator',
      '  The operator has not said anything about it.',
    ]);
  });

  it('is empty where there is nothing', () => {
    const empty = reportOf(['Sim', 'MobileGateway'], [], { state: 'Unknown', messages: [], unattended: [] });
    expect(statusTable(empty, { showAll: false, namespace: 'fleet', screen: FILE, now: NOW })).toEqual([
      'There is nothing in namespace fleet: no Sim, MobileGateway.',
      'Name another namespace with -n, or look into all of them with -A.',
    ]);
    const everywhere = { showAll: false, namespace: undefined, selector: 'team=east', screen: FILE, now: NOW };
    expect(statusTable(empty, everywhere)).toEqual([
      'There is nothing with the labels team=east in any namespace: no Sim, MobileGateway.',
    ]);
    const clusterWide = reportOf(['ClusterCloudAccount'], [], { state: 'Unknown', messages: [], unattended: [] });
    expect(statusTable(clusterWide, { showAll: false, namespace: 'fleet', screen: FILE, now: NOW })).toEqual([
      'There is nothing: no ClusterCloudAccount.',
    ]);
    expect(exitCodeOf(empty)).toBe(0);
  });

  it.each([30, 50, 79])('no line is wider than a terminal of %d columns, whatever a writer wrote', (columns) => {
    const lines = statusTable(reportOf(['Sim'], [truck, hostile], away), {
      showAll: false,
      namespace: undefined,
      screen: { columns, colours: false },
      now: NOW,
    });
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    expect(lines.filter(isUnsafe)).toEqual([]);
  });

  it('has colours around whole cells on a terminal', () => {
    const screen = { columns: 100, colours: true };
    const lines = statusTable(report, { showAll: false, namespace: 'fleet', screen, now: NOW });
    expect(lines[1]).toBe('sim/truck-17  \u001b[31mNotReady\u001b[0m  GatewayNotFound  5m     you');
  });

  it('shows hostile names and messages harmlessly', () => {
    const lines = statusTable(reportOf(['Sim'], [hostile], running), {
      showAll: false,
      namespace: 'fleet',
      screen: FILE,
      now: NOW,
    });
    expect(lines.slice(1, 3)).toEqual([
      'sim/truck-18  NotReady  Bad\\u{1b}[31m  5m     you',
      '  One | two | \\u{202e}evil \\u{1b}]0;title\\u{7} <b>トラック</b>',
    ]);
  });
});

describe('a warning', () => {
  const sentence = 'The annotation edgeline.dev/pausd is not known, and does nothing: write edgeline.dev/paused.';
  const ready = condition('Ready', 'True', 'Available', `The SIM is active. Warning: ${sentence}`);
  const synced = condition('Synced', 'False', 'Contested', 'Something else keeps changing activated.');
  const standing = (name: string, ...conditions: Condition[]) =>
    standingOf(SIM, sim(name, { observedGeneration: 2, conditions }));
  const odd = standing('odd-01', ready);
  const differing = standing('odd-02', ready, synced);
  const broken = standing('odd-03', { ...ready, status: 'False' });
  const warned = reportOf(['Sim'], [odd, differing, broken, van], running);
  const shown = (showAll: boolean) => statusTable(warned, { showAll, namespace: 'fleet', screen: FILE, now: NOW });

  it('is shown once of each that has one, Ready or not, and counted', () => {
    const lines = shown(false);
    expect(lines.filter((line) => line.startsWith('sim/'))).toHaveLength(3);
    expect(lines.slice(1, 3)).toEqual(['sim/odd-01  Ready      Available  5m     -', `  Warning: ${sentence}`]);
    expect(lines.filter((line) => line.includes(sentence))).toHaveLength(3);
    expect(lines.at(-1)).toBe('Sim  3/4 ready, 3 warnings');
    expect(shown(true).filter((line) => line.includes(sentence))).toHaveLength(3);
  });

  it('changes no exit code, and nothing of what scripts read but what is added', () => {
    const one = reportOf(['Sim'], [odd], running);
    expect(exitCodeOf(one)).toBe(0);
    expect(reportJson(one, false)).toMatchObject({ summary: [{ ready: 1, total: 1, warnings: 1 }], objects: [] });
    expect(reportJson(one, true)).toMatchObject({ objects: [{ name: 'odd-01', state: 'Ready', warning: sentence }] });
  });

  it('is in Markdown, too', () => {
    const lines = statusMarkdown(reportOf(['Sim'], [odd], running), false, NOW);
    expect(lines[2]).toContain(`| Warning: ${sentence} |`);
    expect(lines.at(-1)).toBe('| Sim | 1 | 1 | 1 |');
  });

  it('is news when it comes and when it goes', () => {
    const before = standing('odd-01', { ...ready, message: 'The SIM is active.' });
    expect(isNews(before, odd, false)).toBe(true);
    expect(isNews(odd, before, false)).toBe(true);
    expect(isNews(odd, odd, false)).toBe(false);
    expect(changeLines({ type: 'Changed', before, now: odd }, FILE, NOW)).toEqual([
      '12:00:00  fleet sim/odd-01  Ready (Available)',
      `  Warning: ${sentence}`,
    ]);
  });
});

it('as Markdown nothing of it is markup', () => {
  expect(statusMarkdown(reportOf(['Sim'], [hostile], away), false, NOW)).toEqual([
    '> No operator looks after namespace fleet.',
    '',
    '| namespace | object | state | reason | since | waits for | message | what to do |',
    '|---|---|---|---|---|---|---|---|',
    '| fleet | sim/truck-18 | NotReady | Bad\\\\u{1b}\\[31m | 5m | you | One \\| two \\| \\\\u{202e}evil \\\\u{1b}\\]0;title\\\\u{7} \\<b\\>トラック\\</b\\> |  |',
    '',
    '| kind | ready | total | warnings |',
    '|---|---|---|---|',
    '| Sim | 0 | 1 | 0 |',
  ]);
});

it('as JSON it has the documented shape', () => {
  expect(reportJson(report, false)).toEqual({
    apiVersion: 'cli.edgeline.dev/v1',
    kind: 'Status',
    ready: false,
    operator: { state: 'Running', messages: [], unattended: [] },
    summary: [
      { kind: 'Sim', ready: 1, total: 2, warnings: 0 },
      { kind: 'MobileGateway', ready: 0, total: 0, warnings: 0 },
    ],
    notShown: [],
    objects: [
      {
        kind: 'Sim',
        namespace: 'fleet',
        name: 'truck-17',
        ready: false,
        state: 'NotReady',
        reason: 'GatewayNotFound',
        message: 'There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
        warning: null,
        since: '2026-11-22T11:55:00Z',
        waitingFor: { who: 'person' },
        advice: 'Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
        generation: 2,
        observedGeneration: 2,
      },
    ],
  });
});

it('as YAML it says the same, and does nothing to a terminal', async () => {
  const text = await toYaml({ message: hostile.message, reason: hostile.reason });
  expect(text).toBe('message: "One\\n| two | \\u202eevil \\e]0;title\\a <b>トラック</b>"\nreason: "Bad\\e[31m"\n');
});

it('as YAML any text comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const yaml = await toYaml({ text });
      expect(isUnsafe(yaml.trimEnd().replaceAll('\n', ''))).toBe(false);
      // Half a pair is none in UTF-8.
      fc.pre(text.isWellFormed());
      expect(parse(yaml)).toEqual({ text });
    }),
  );
});

it('counts as all well only what is ready and looked after', () => {
  expect(exitCodeOf(report)).toBe(2);
  expect(exitCodeOf(reportOf(['Sim'], [van], running))).toBe(0);
  expect(exitCodeOf(reportOf(['Sim'], [van], away))).toBe(2);
  expect(exitCodeOf(reportOf(['Sim'], [van], { state: 'Unknown', messages: ['not known'], unattended: [] }))).toBe(0);
});

describe('a watch', () => {
  const readyTruck = standingOf(SIM, sim('truck-17', readyStatus));

  it('tells of what is not Ready and of what has become so, and of nothing twice', () => {
    expect(isNews(undefined, truck, false)).toBe(true);
    expect(isNews(truck, truck, false)).toBe(false);
    expect(isNews(truck, readyTruck, false)).toBe(true);
    expect(isNews(undefined, readyTruck, false)).toBe(false);
    expect(isNews(undefined, readyTruck, true)).toBe(true);
    expect(isNews(readyTruck, { ...readyTruck, message: 'another' }, false)).toBe(false);
  });

  it('prints a change in lines', () => {
    expect(changeLines({ type: 'Changed', before: readyTruck, now: truck }, FILE, NOW)).toEqual([
      '12:00:00  fleet sim/truck-17  Ready → NotReady (GatewayNotFound), waits for you',
      '  There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
      '  Do: Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
    ]);
    expect(changeLines({ type: 'Changed', before: truck, now: readyTruck }, FILE, NOW)).toEqual([
      '12:00:00  fleet sim/truck-17  NotReady → Ready (Available)',
    ]);
    expect(changeLines({ type: 'Gone', before: truck }, FILE, NOW)).toEqual(['12:00:00  fleet sim/truck-17  is gone']);
    expect(changeLines({ type: 'Operator', presence: away }, FILE, NOW)).toEqual([
      '12:00:00  ! No operator looks after namespace fleet.',
    ]);
  });

  it('prints a change as one line of JSON, and as a document of YAML', async () => {
    const change = { type: 'Gone', before: hostile } as const;
    const json = await changeText(change, 'json', FILE, NOW);
    expect(json.indexOf('\n')).toBe(json.length - 1);
    expect(JSON.parse(json)).toMatchObject({
      apiVersion: 'cli.edgeline.dev/v1',
      kind: 'StatusChange',
      type: 'Gone',
      at: '2026-11-22T12:00:00.000Z',
      before: 'NotReady',
      object: { name: 'truck-18', message: hostile.message },
    });
    expect(isUnsafe(json.trimEnd())).toBe(false);
    expect(await changeText(change, 'yaml', FILE, NOW)).toMatch(/^---\napiVersion: cli.edgeline.dev\/v1\n/);
  });
});
