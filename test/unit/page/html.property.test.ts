import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, html, shortened } from '../../../src/page/html.ts';
import { UNSAFE } from '../../../src/unsafe.ts';

/** Texts with all that means something in HTML, that turns a line round, and that is no whole character. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '&',
      '"',
      "'",
      '`',
      '=',
      '/',
      '-',
      '!',
      ' ',
      '\n',
      '\u202e',
      '\u2066',
      '\ud83d',
      'a',
    ),
  }),
  fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '--><svg/onload=1>', '\u0000</title>'),
);

/** Reads what a browser reads: only the entities that `escaped` writes. */
function read(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
  return text.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: string) => entities[name] ?? '');
}

describe('a text in the page', () => {
  it('ends no tag and no attribute, hides nothing, and is read as it was', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = escaped(text);
        expect(shown).not.toMatch(/[<>"'`]/);
        expect(shown.search(UNSAFE)).toBe(-1);
        expect(shown.replaceAll(/&(amp|lt|gt|quot|#39|#96);/g, '')).not.toContain('&');
        // All that can be seen is there; what can't is there as its code.
        const visible = text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ').replaceAll(UNSAFE, '');
        expect(read(shown).replaceAll(/\\u\{[0-9a-f]+\}/g, '')).toBe(visible.replaceAll(/\\u\{[0-9a-f]+\}/g, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('is escaped wherever it stands in a template, in lists and in numbers, and HTML is not escaped twice', () => {
    const name = '<b a="1">';
    expect(html`<p title="${name}">${[name, html`<i>${name}</i>`, [1, false, undefined]]}</p>`.toString()).toBe(
      '<p title="&lt;b a=&quot;1&quot;&gt;">&lt;b a=&quot;1&quot;&gt;<i>&lt;b a=&quot;1&quot;&gt;</i>1</p>',
    );
  });

  it('is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        const cut = shortened(text, most);
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
        expect(cut.length).toBeLessThanOrEqual(most + 1);
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
      }),
    );
  });
});
