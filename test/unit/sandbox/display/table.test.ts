import { describe, expect, it } from 'vitest';
import { createLiveTable, type TableStream } from '../../../../src/sandbox/display/table.ts';
import type { TableRow } from '../../../../src/sandbox/display/table-render.ts';

const waiting: TableRow = {
  kind: 'Sim',
  namespace: 'fleet',
  name: 'truck-17',
  ready: 'False',
  reason: 'Creating',
  age: 1,
};
const ready: TableRow = { ...waiting, ready: 'True', reason: 'Ready' };

function recorded(more: Partial<TableStream> = {}) {
  const written: string[] = [];
  const stream: TableStream = { ...more, write: (text) => written.push(text) };
  return { written, table: (env: NodeJS.ProcessEnv = {}) => createLiveTable({ stream, env }) };
}

/** A terminal of unlimited height that knows the few codes the table uses: what is on it in the end. */
function screen(written: readonly string[]): string[] {
  const lines: string[] = [''];
  let line = 0;
  // oxlint-disable-next-line no-control-regex -- escape codes are what is tested
  for (const [token] of written.join('').matchAll(/\u001b\[[?0-9;]*[A-Za-z]|\n|\r|[^\u001b\n\r]+/g)) {
    if (token === '\n') lines[++line] ??= '';
    else if (token.endsWith('A') && token.startsWith('\u001b')) line -= Number(token.slice(2, -1));
    else if (token === '\u001b[J') lines.splice(line, lines.length, '');
    else if (!token.startsWith('\u001b') && token !== '\r') lines[line] = token;
  }
  return lines.slice(0, -1);
}

describe('on a terminal', () => {
  it('redraws in place, each time in one write', () => {
    const { written, table } = recorded({ isTTY: true, columns: 80, rows: 24 });
    const live = table({ NO_COLOR: '1' });
    live.update([waiting, { ...waiting, name: 'truck-18' }]);
    live.update([ready]);
    expect(written).toHaveLength(2);
    expect(screen(written)).toEqual([
      'KIND  NAMESPACE  NAME      READY  REASON  AGE',
      'Sim   fleet      truck-17  True   Ready   1s',
    ]);
  });

  it('leaves a finished table where it is, and goes on below it', () => {
    const { written, table } = recorded({ isTTY: true, columns: 80, rows: 24 });
    const live = table({ NO_COLOR: '1' });
    live.update([ready]);
    live.finish();
    live.print('done');
    live.update([waiting]);
    expect(screen(written)).toEqual([
      'KIND  NAMESPACE  NAME      READY  REASON  AGE',
      'Sim   fleet      truck-17  True   Ready   1s',
      'done',
      'KIND  NAMESPACE  NAME      READY  REASON    AGE',
      'Sim   fleet      truck-17  False  Creating  1s',
    ]);
  });

  it('writes lines above the table', () => {
    const { written, table } = recorded({ isTTY: true, columns: 80, rows: 24 });
    const live = table({ NO_COLOR: '1' });
    live.print('export KUBECONFIG=/x');
    live.update([ready]);
    live.print('the operator serves');
    expect(screen(written)).toEqual([
      'export KUBECONFIG=/x',
      'the operator serves',
      'KIND  NAMESPACE  NAME      READY  REASON  AGE',
      'Sim   fleet      truck-17  True   Ready   1s',
    ]);
  });

  it('shows what is not ready first when there is no room for all', () => {
    const { written, table } = recorded({ isTTY: true, columns: 80, rows: 5 });
    table({ NO_COLOR: '1' }).update([ready, { ...ready, name: 'a' }, { ...waiting, name: 'b' }]);
    expect(screen(written)).toEqual([
      'KIND  NAMESPACE  NAME      READY  REASON    AGE',
      'Sim   fleet      b         False  Creating  1s',
      'Sim   fleet      truck-17  True   Ready     1s',
      '… and 1 more; 2 of 3 ready',
    ]);
  });

  it.each([
    [{}, true],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
  ])('with %j has colours: %s', (env, colours) => {
    const { written, table } = recorded({ isTTY: true, columns: 80, rows: 24 });
    table(env).update([ready]);
    expect(written.join('').includes('\u001b[32m')).toBe(colours);
  });
});

describe('elsewhere', () => {
  it('writes what changed, a line each, and nothing for an age', () => {
    const { written, table } = recorded();
    const live = table();
    live.print('the operator serves');
    live.update([waiting, { ...ready, name: 'truck-18', namespace: '' }]);
    live.update([
      { ...waiting, age: 2 },
      { ...ready, name: 'truck-18', namespace: '', age: 2 },
    ]);
    live.update([ready]);
    expect(written).toEqual([
      'the operator serves\n',
      'Sim fleet truck-17 Ready=False Creating\n',
      'Sim truck-18 Ready=True Ready\n',
      'Sim fleet truck-17 Ready=True Ready\n',
      'Sim truck-18 gone\n',
    ]);
  });
});
