import type { Chance } from './random.ts';

const strings = [
  '',
  ' ',
  '\0',
  '\ud800',
  '💥'.repeat(40),
  'a'.repeat(20_000),
  'é',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00%ff%zz',
  '0x10',
  '1e3',
  '-1',
  'NaN',
  '٣٤',
  '9'.repeat(400),
  '0.0.0.0',
  '255.255.255.255',
  '10.0.0.1/33',
  '10.0.0.0/0',
  '::1',
  '192.0.2.10\n',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-12T23:59:59.999Z',
  '-271821-04-20T00:00:00.000Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00+09:00',
  '2026-01-01T00:00:00.000 09:00',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '*a*a*a*a*a*a*a*a*a*a*a*b',
  'http://[::1',
  'https://xn--a',
  'deny 192.0.2.0/24\nallow all\n',
] as const;

const numbers = [0, -0, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, -1e308, 5e-324] as const;

/** A value of a kind that nobody expects. */
export function hostileValue(chance: Chance): unknown {
  switch (chance.below(8)) {
    case 0:
      return null;
    case 1:
      return chance.oneIn(2);
    case 2:
    case 3:
      return chance.of(numbers);
    case 4:
      return chance.of<unknown>([[], {}, [[]], [null], [{}], Array.from({ length: 2_000 }, (_, index) => index)]);
    case 5:
      return JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"length":-1}');
    default:
      return chance.of(strings);
  }
}

export const hostileText = (chance: Chance): string => chance.of(strings);

/** The value with some of its leaves replaced, members taken away, doubled or added. */
export function mutated(value: unknown, chance: Chance, likelihood: number): unknown {
  if (chance.fraction() < likelihood) return hostileValue(chance);
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => mutated(item, chance, likelihood));
    if (chance.fraction() < likelihood) items.push(...items);
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
    chance.fraction() < likelihood / 2 ? [] : [[name, mutated(member, chance, likelihood)]],
  );
  if (chance.fraction() < likelihood) members.push([hostileText(chance), hostileValue(chance)]);
  return Object.fromEntries(members);
}

/** JSON, mostly: cut off, not UTF-8, too deep, or none at all now and then. */
export function hostileJSON(value: unknown, chance: Chance): Buffer {
  const text = JSON.stringify(value) ?? '';
  switch (chance.below(40)) {
    case 0:
      return Buffer.from(text.slice(0, chance.below(text.length + 1)));
    case 1:
      return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x00])]);
    case 2: {
      const levels = chance.of([65, 3_050, 50_000]);
      return Buffer.from(nested(text, levels, chance));
    }
    case 3:
      return Buffer.from(
        chance.of(['', ' ', '[', 'nonsense', '"text"', '1e999', '[1,]', '{"a":1,"a":2}', 'null', '\ufeff{}']),
      );
    case 4:
      return Buffer.from(text.replace(/"[^"]{2,12}"/, `"${'x'.repeat(chance.of([10, 100_000, 2_200_000]))}"`));
    default:
      return Buffer.from(text);
  }
}

/** The text at the bottom of so many levels, in a member where a body has one. */
function nested(text: string, levels: number, chance: Chance): string {
  const deep = chance.oneIn(2)
    ? `${'['.repeat(levels)}${']'.repeat(levels)}`
    : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  return text.startsWith('{') && text.length > 2 ? `${text.slice(0, -1)},"Deep":${deep}}` : deep;
}
