import { describe, expect, it } from 'vitest';
import { addressOf, oneLine, providerOf, quoted, wordsOf } from '../../../../src/import/terraform/address.ts';
import { namesOf } from '../../../../src/import/terraform/names.ts';

const resource = (rest: object = {}) => ({
  mode: 'managed',
  type: 'sakuracloud_sim',
  name: 'van',
  provider: '',
  ...rest,
});

describe('an address', () => {
  it.each([
    [{}, {}, 'sakuracloud_sim.van'],
    [{}, { index_key: 0 }, 'sakuracloud_sim.van[0]'],
    [{}, { index_key: '' }, 'sakuracloud_sim.van[""]'],
    [{}, { index_key: 'a "b" ${c} %{d}' }, 'sakuracloud_sim.van["a \\"b\\" $${c} %%{d}"]'],
    [{ module: 'module.a["x"].module.b' }, {}, 'module.a["x"].module.b.sakuracloud_sim.van'],
  ])('%o %o is %s', (where, instance, address) => {
    expect(addressOf(resource(where), instance)).toBe(address);
  });

  it('is one word of a shell', () => {
    expect(quoted(`a["it's"]`)).toBe(`'a["it'\\''s"]'`);
  });

  it('tells instances apart by modules, name and keys', () => {
    const module = 'module.fleet["north.a\\"b"].module.vans[0].module.plain';
    expect(wordsOf(resource({ module }), { index_key: 3 })).toEqual([
      'fleet',
      'north.a"b',
      'vans',
      '0',
      'plain',
      'van',
      '3',
    ]);
  });

  it('stays one line', () => {
    expect(oneLine('a\nb\u001b[31m\u2028c')).toBe('a b [31m c');
  });
});

describe('a provider', () => {
  it.each([
    ['provider["registry.terraform.io/sacloud/sakuracloud"]', 'sakuracloud', undefined],
    ['provider["registry.opentofu.org/sacloud/sakuracloud"].tokyo', 'sakuracloud', 'tokyo'],
    ['module.a.provider["registry.terraform.io/sacloud/sakuracloud"].tokyo', 'sakuracloud', 'tokyo'],
    ['provider["registry.terraform.io/-/sakuracloud"]', 'sakuracloud', undefined],
    ['provider.sakuracloud', 'sakuracloud', undefined],
    ['module.a.provider.sakuracloud.tokyo', 'sakuracloud', 'tokyo'],
    ['provider["registry.terraform.io/sacloud/sakura"]', 'sakura', undefined],
  ])('%s is %s %s', (text, name, alias) => {
    expect(providerOf(text)).toEqual({ name, alias });
  });
});

describe('names', () => {
  const named = (...all: (readonly [id: string, ...words: string[]])[]) =>
    namesOf(all.map(([id, ...words]) => ({ id, words })));

  it('are made of lowercase letters, digits, hyphens and dots between them', () => {
    expect(
      named(['1', 'Truck_A'], ['2', 'www.example.jp'], ['3', '.x..y.'], ['4', '--a--'], ['5', 'a', 'it’s "b"']),
    ).toEqual(['truck-a', 'www.example.jp', 'x.y', 'a', 'a-it-s-b']);
  });

  it('have the ID where a word has nothing a name can have', () => {
    expect(named(['113300000001', 'van', '東京'], ['113300000002', '大阪'])).toEqual([
      'van-113300000001',
      '113300000002',
    ]);
  });

  it('have the ID where they would be the same, in whatever order', () => {
    expect(named(['1', 'a_b'], ['2', 'a-b'], ['3', 'c'])).toEqual(['a-b-1', 'a-b-2', 'c']);
    expect(named(['3', 'c'], ['2', 'a-b'], ['1', 'a_b'])).toEqual(['c', 'a-b-2', 'a-b-1']);
  });

  it('are unique even where one is already what another becomes', () => {
    const names = named(['1', 'a_b'], ['2', 'a-b'], ['3', 'a-b-1']);
    expect(new Set(names).size).toBe(3);
  });

  it('are cut where they are too long, and still differ', () => {
    const long = 'x'.repeat(300);
    const names = named(['1', `${long}1`], ['2', `${long}2`]);
    expect(names.map((name) => name.length)).toEqual([200, 200]);
    expect(new Set(names).size).toBe(2);
  });
});
