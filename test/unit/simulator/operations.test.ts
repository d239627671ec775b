import { expect, it } from 'vitest';
import { createOperations } from '../../../src/simulator/operations.ts';
import { clientRoutes, plainRoute } from '../../support/client-routes.ts';

it('the simulator has each operation of the client', () => {
  const there = new Set(
    createOperations(() => new Map()).names.map((name) => plainRoute(name.replace(' webaccel/', ' /'))),
  );
  const asked = clientRoutes();
  expect(asked).toEqual(expect.arrayContaining(['GET /appliance', 'PUT /site/:id', 'PUT /server/:id/to/plan/:id']));
  expect(asked.filter((route) => !there.has(route))).toEqual([]);
});
