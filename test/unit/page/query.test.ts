import { describe, expect, it } from 'vitest';
import { parseQuery, type Query, queryString } from '../../../src/page/query.ts';

const nothing: Query = {
  view: 'overview',
  kind: undefined,
  state: undefined,
  namespace: undefined,
  search: '',
  page: 1,
  object: undefined,
};

describe('what is asked of the page', () => {
  it.each<[string, Partial<Query>]>([
    ['', {}],
    ['?utm=1&view=x', {}],
    ['?view=resources', { view: 'resources' }],
    ['?view=certificates&page=3', { view: 'certificates', page: 3 }],
    ['?kind=sim&state=NotReady', { view: 'resources', kind: 'Sim', state: 'NotReady' }],
    ['?state=attention', { view: 'resources', state: 'attention' }],
    ['?q=+Truck+&namespace=fleet', { view: 'resources', search: 'Truck', namespace: 'fleet' }],
    ['?kind=pod&state=Fine&page=-1', {}],
    ['?page=1.5', {}],
    ['?page=999999', { page: 100_000 }],
    ['?object=sim/fleet/truck-17', { view: 'object', object: { kind: 'Sim', namespace: 'fleet', name: 'truck-17' } }],
    [
      '?object=clustercloudaccount//shared',
      { view: 'object', object: { kind: 'ClusterCloudAccount', namespace: undefined, name: 'shared' } },
    ],
    ['?object=pod/fleet/x', {}],
    ['?object=sim/fleet', {}],
    ['?object=sim/a/b/c', {}],
    [`?q=${'x'.repeat(1000)}`, { view: 'resources', search: 'x'.repeat(200) }],
  ])('%s', (text, expected) => {
    const asked = parseQuery(new URLSearchParams(text));
    expect(asked).toEqual({ ...nothing, ...expected });
  });

  it('stands in links as it is read', () => {
    const link = queryString({ kind: 'sim', q: 'a&b="c"', namespace: undefined, page: 2 });
    expect(link).toBe('?kind=sim&q=a%26b%3D%22c%22&page=2');
    expect(parseQuery(new URLSearchParams(link))).toMatchObject({ kind: 'Sim', search: 'a&b="c"', page: 2 });
  });
});
