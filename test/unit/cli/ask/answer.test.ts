import { expect, it } from 'vitest';
import { type Answer, printed } from '../../../../src/cli/ask/answer.ts';

const screen = { columns: undefined, colours: false } as const;
const print = (answer: Answer, output: 'table' | 'json' | 'yaml' | 'markdown') =>
  printed(answer, 'CloudAccount/default', output, screen);

const one: Answer = { of: 'SIM 1', items: [{ sessionStatus: 'UP', imsi: ['4401', '4402'], ip: undefined }] };
const two: Answer = {
  of: 'gateway 1',
  none: 'No SIM is registered with it.',
  items: [
    { resourceID: '1', ip: '192.0.2.1' },
    { resourceID: '2\u001b[31m', ip: undefined },
  ],
};

it('of a single item each member has a line', async () => {
  expect(await print(one, 'table')).toBe('WHAT            VALUE\nsession status  UP\nimsi            4401 4402\n');
});

it('a list has its titles however short it is', async () => {
  const { items, ...list } = two;
  expect(await print({ ...list, items: items.slice(0, 1) }, 'table')).toBe('RESOURCE ID  IP\n1            192.0.2.1\n');
});

it('of things that are told of one by one, each has its members below each other', async () => {
  expect(await print({ ...two, isList: false }, 'table')).toBe(
    'WHAT         VALUE\nresource ID  1\nip           192.0.2.1\n\nresource ID  2\\u{1b}[31m\nip           -\n',
  );
});

it('a list that is wider than the terminal loses nothing', async () => {
  expect(await printed(two, 'CloudAccount/default', 'table', { columns: 20, colours: false })).toBe(
    'WHAT         VALUE\nresource ID  1\nip           192.0.2.1\n\nresource ID  2\\u{1b}[31m\nip           -\n',
  );
});

it('several items have a row each, and nothing in them steers the terminal', async () => {
  expect(await print(two, 'table')).toBe('RESOURCE ID  IP\n1            192.0.2.1\n2\\u{1b}[31m  -\n');
});

it('times are in UTC, in whichever zone the service writes them', async () => {
  const items = [
    { at: '2026-11-22T21:00:00.000+09:00', name: '2026-11-22T21:00:00+09:00' },
    { at: 'soon', activatedAt: '2026-11-22T12:00:00+00:00' },
  ];
  const shown = [
    { at: '2026-11-22T12:00:00Z', name: '2026-11-22T21:00:00+09:00' },
    { at: 'soon', activatedAt: '2026-11-22T12:00:00Z' },
  ];
  expect(JSON.parse(await print({ of: 'SIM 1', items }, 'json'))).toMatchObject({ items: shown });
  expect(await print({ of: 'SIM 1', items, none: 'None.' }, 'table')).toContain('\n2026-11-22T12:00:00Z  2026');
});

it('nothing is said to be nothing', async () => {
  expect(await print({ of: 'SIM 1', items: [], none: 'The session log is empty.' }, 'table')).toBe(
    'The session log is empty.\n',
  );
});

it('JSON has all that is known, and says of what', async () => {
  expect(JSON.parse(await print(one, 'json'))).toEqual({
    apiVersion: 'cli.edgeline.dev/v1',
    kind: 'ServiceAnswer',
    account: 'CloudAccount/default',
    of: 'SIM 1',
    items: [{ sessionStatus: 'UP', imsi: ['4401', '4402'] }],
  });
});

it('Markdown fits a comment', async () => {
  expect(await print(two, 'markdown')).toBe(
    '**gateway 1**\n\n| resource ID | ip |\n| --- | --- |\n| 1 | 192.0.2.1 |\n| 2\\\\u{1b}\\[31m |  |\n',
  );
});
