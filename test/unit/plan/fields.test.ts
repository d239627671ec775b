import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/plan/fields.ts';
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

it.each([
  ['PUT /appliance/:id/mobilegateway/simroutes', 'PUT', ['the same as is there is sent again']],
  ['PUT /appliance/:id/config', 'PUT', []],
  ['DELETE /commonserviceitem/:id', 'DELETE', []],
])('a call without fields says why: %s', (route, method, remarks) => {
  const resource = { kind: 'MobileGateway', namespace: 'fleet', name: 'depot' };
  const call = { resource, account: 'CloudAccount fleet/default', path: '', after: 0, isUncertain: false };
  expect(remarksOf({ ...call, route, method, fields: [] })).toEqual(remarks);
});
