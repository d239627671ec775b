import { describe, expect, it } from 'vitest';
import { fieldsOf, isRepeated } from '../../../src/plan/fields.ts';
import { remarksOf } from '../../../src/plan/report.ts';
import type { Change } from '../../../src/shadow/service/types.ts';

/** A gateway with routes to SIMs of these IDs; a view of the shadow has more. */
function routesChange(before: readonly string[], after: readonly string[]): Pick<Change, 'objects' | 'route'> {
  const gateway = (ids: readonly string[]) => ({
    simRoutes: ids.map((simID, index) => ({ simID, prefix: `192.168.${index}.0/24` })),
  });
  const change = { kind: 'gateways', id: '7', before: gateway(before), after: gateway(after) };
  return JSON.parse(JSON.stringify({ objects: [change], route: 'PUT /appliance/:id/mobilegateway/simroutes' }));
}

describe('the fields of a call', () => {
  it('name the objects of Kubernetes', () => {
    expect(fieldsOf(routesChange(['1'], ['1', '2']), (id) => `Sim fleet/truck-${id}`)).toEqual([
      {
        field: 'simRoutes',
        before: '192.168.0.0/24 to Sim fleet/truck-1',
        after: '192.168.0.0/24 to Sim fleet/truck-1; 192.168.1.0/24 to Sim fleet/truck-2',
      },
    ]);
  });

  it('have of the routes that go with a SIM those alone, for others may go at the same time', () => {
    const { objects } = routesChange(['1', '2'], ['1']);
    const route = 'DELETE /appliance/:id/mobilegateway/sims/:simID';
    expect(fieldsOf({ objects, route }, (id) => `Sim fleet/truck-${id}`)).toEqual([
      { field: 'simRoutes', before: '192.168.1.0/24 to Sim fleet/truck-2', after: undefined },
    ]);
  });

  it('have the IDs where the names are the same before and after', () => {
    expect(fieldsOf(routesChange(['1'], ['2']), () => 'Sim fleet/truck-17')).toEqual([
      { field: 'simRoutes', before: '192.168.0.0/24 to 1', after: '192.168.0.0/24 to 2' },
    ]);
  });
});

describe('a call', () => {
  const site = (settings: object) => ({
    acl: '',
    modifiedAt: 1,
    settings: { Name: 'shop', NormalizeAE: null, ...settings },
  });
  const change = (before: object, after: object): Pick<Change, 'objects' | 'route'> =>
    JSON.parse(JSON.stringify({ objects: [{ kind: 'sites', id: '7', before, after }], route: 'PUT /site/:id' }));

  it('that sends what is there is known as such', () => {
    expect(isRepeated(change(site({}), site({})))).toBe(true);
    expect(isRepeated(change(site({}), site({ Name: 'www' })))).toBe(false);
  });

  it('that changes what no spec has is none', () => {
    const changed = change(site({}), { ...site({}), status: 'disabled' });
    expect(fieldsOf(changed, (id) => id)).toEqual([]);
    expect(isRepeated(changed)).toBe(false);
  });

  it('is not told by what the service has by itself', () => {
    const of = (modifiedAt: number) => ({ kind: 'sims', id: '7', before: { modifiedAt: 1 }, after: { modifiedAt } });
    expect(isRepeated(JSON.parse(JSON.stringify({ objects: [of(2)] })))).toBe(true);
  });
});

it.each([
  ['PUT /appliance/:id/mobilegateway/simroutes', 'PUT', true, ['the same as is there is sent again']],
  ['PUT /site/:id', 'PUT', false, ['what it changes is not in any spec, and is not shown']],
  ['PUT /appliance/:id/config', 'PUT', false, []],
  ['DELETE /commonserviceitem/:id', 'DELETE', false, []],
])('a call without fields says why: %s', (route, method, isAgain, remarks) => {
  const resource = { kind: 'MobileGateway', namespace: 'fleet', name: 'depot' };
  const call = { resource, account: 'CloudAccount fleet/default', path: '', after: 0, isUncertain: false };
  expect(remarksOf({ ...call, route, method, fields: [], isRepeated: isAgain })).toEqual(remarks);
});
