import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { harmless } from '../../../src/cli/text/harmless.ts';
import { screenOf } from '../../../src/cli/text/screen.ts';
import { tableLines } from '../../../src/cli/text/table.ts';
import { cutTo, widthOf, wrap } from '../../../src/cli/text/width.ts';
import { escapeUnsafe, isUnsafe } from '../../../src/unsafe.ts';

const NO_TERMINAL = { columns: undefined, colours: false };

it.each([
  ['an escape sequence', '\u001b[31mred\u001b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
  ['one of the C1 set', '\u009b2J', '\\u{9b}2J'],
  ['a line break', 'one\r\ntwo\n\n\tthree', 'one two three'],
  ['a separator of lines', 'one\u2028two', 'one two'],
  ['a reversal of direction', 'safe\u202egnp.exe', 'safe\\u{202e}gnp.exe'],
  ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a character that is not seen', 'ad\u200bmin\ufeff', 'ad\\u{200b}min\\u{feff}'],
  ['a letter that nothing is drawn of', 'admin\u3164\u115f\uffa0', 'admin\\u{3164}\\u{115f}\\u{ffa0}'],
  ['a mark that nothing is drawn of', 'a\u034fb\ufe00\u{e0101}', 'a\\u{34f}b\\u{fe00}\\u{e0101}'],
  ['what makes an emoji of a sign', '⚠\ufe0f 1\ufe0f', '⚠\ufe0f 1\\u{fe0f}'],
  ['a bell and a backspace', 'a\u0007\u0008', 'a\\u{7}\\u{8}'],
  ['half a pair', '\ud800', '\\u{d800}'],
  ['what is harmless', 'トラック – “17” é 🚚', 'トラック – “17” é 🚚'],
])('%s is shown, and does nothing', (_name, text, shown) => {
  expect(harmless(text)).toBe(shown);
});

it('nothing harmful is left of any text, in lines or in JSON, and JSON stays what it says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(isUnsafe(harmless(text))).toBe(false);
      const json = escapeUnsafe(JSON.stringify({ text }));
      expect(isUnsafe(json)).toBe(false);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});

it.each([
  ['truck-17', 8],
  ['トラック', 8],
  ['ｱ', 1],
  ['e\u0301', 1],
  ['🚚', 2],
  ['한글', 4],
  ['', 0],
])('%s takes %d columns', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it('lines are broken between words, and within a word only where it is longer than a line', () => {
  expect(wrap('There is no MobileGateway depot.', 12)).toEqual(['There is no', 'MobileGatewa', 'y depot.']);
  expect(wrap('ゲートウェイがない', 8)).toEqual(['ゲートウ', 'ェイがな', 'い']);
  expect(cutTo('ゲートウェイ', 6)).toBe('ゲー…');
  expect([3, 2, 1, 0].map((columns) => cutTo('ゲート', columns))).toEqual(['ゲ…', '…', '…', '']);
});

it('no line is longer than its width, and no character is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const line = harmless(text);
      const lines = wrap(line, columns);
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
      expect(widthOf(cutTo(line, columns))).toBeLessThanOrEqual(columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
    }),
  );
});

it('columns of a table are in line although some characters are wide, and the widest gives way', () => {
  const columns = [{ title: 'NAME', least: 6 }, { title: 'STATE' }];
  const rows = [
    ['トラック-17', 'Ready'],
    ['van', 'NotReady'],
  ];
  expect(tableLines(columns, rows, NO_TERMINAL)).toEqual([
    'NAME         STATE',
    'トラック-17  Ready',
    'van          NotReady',
  ]);
  expect(tableLines(columns, rows, { columns: 17, colours: false })).toEqual([
    'NAME     STATE',
    'トラッ…  Ready',
    'van      NotReady',
  ]);
});

it('columns for which there is no room leave a sign, and one is cut to no less than says something', () => {
  const columns = [{ title: 'NAME', least: 6 }, { title: 'STATE' }, { title: 'SINCE' }];
  const rows = [['truck-17', 'NotReady', '5m']];
  const at = (width: number) => tableLines(columns, rows, { columns: width, colours: false });
  expect(at(23)).toEqual(['NAME    STATE     SINCE', 'truck…  NotReady  5m']);
  expect(at(22)).toEqual(['NAME    STATE     SIN…', 'truck…  NotReady  5m']);
  expect(at(20)).toEqual(['NAME    STATE     …', 'truck…  NotReady  …']);
  expect(at(16)).toEqual(['NAME    STATE  …', 'truck…  NotR…  …']);
  expect(at(14)).toEqual(['NAME    …', 'truck…  …']);
});

it('no line of a table is wider than the screen, and a column that is missing has a sign', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => harmless(text));
  const table = fc.integer({ min: 1, max: 6 }).chain((count) =>
    fc.record({
      least: fc.array(fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), {
        minLength: count,
        maxLength: count,
      }),
      rows: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 5 }),
    }),
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 18, max: 80 }), ({ least, rows }, width) => {
      const columns = least.map((one, index) => ({ title: `C${index}`, ...(one !== undefined && { least: one }) }));
      const lines = tableLines(columns, rows, { columns: width, colours: false });
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
      const [titles = ''] = lines;
      expect(titles.endsWith('…') || titles.endsWith(columns.at(-1)?.title ?? '')).toBe(true);
    }),
  );
});

it('a table of very many rows, as of Events that somebody makes, is printed', () => {
  const rows = Array.from({ length: 200_000 }, () => ['a', 'b']);
  expect(tableLines([{ title: 'A' }, { title: 'B' }], rows, NO_TERMINAL)).toHaveLength(200_001);
});

it('has colours on a terminal only, and none where NO_COLOR is set', () => {
  expect(screenOf({}, {})).toEqual({ columns: undefined, colours: false });
  expect(screenOf({ isTTY: true, columns: 100 }, {})).toEqual({ columns: 99, colours: true });
  expect(screenOf({ isTTY: true, columns: 100 }, { NO_COLOR: '1' })).toEqual({ columns: 99, colours: false });
  expect(screenOf({ isTTY: true, columns: 100 }, { NO_COLOR: '' })).toEqual({ columns: 99, colours: true });
  expect(screenOf({ isTTY: true }, { TERM: 'dumb' })).toEqual({ columns: 79, colours: false });
});
