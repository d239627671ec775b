import { badRequest, conflict } from '../api-error.ts';
import { listPage, listQuery } from '../list-query.ts';
import type { GatewaySettings } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { Routes } from '../router.ts';
import { touch } from '../touch.ts';
import { refreshGatewaySessions } from '../world.ts';
import { accepted, availableGateway, gatewayOf } from './lookup.ts';
import { changeGatewayBody, createGatewayBody, settingsOf } from './schema.ts';
import { availabilityOf, makeGateway, settingsHash } from './state.ts';
import { deletedGatewayView, gatewayListing, gatewayView } from './view.ts';

function checkSettings(settings: GatewaySettings): void {
  if (settings.staticRoutes.length > 0 && settings.privateInterface === null) {
    throw badRequest('Appliance.Settings.MobileGateway.StaticRoutes: they need the private interface, Interfaces[1]');
  }
}

/** The gateway itself: list, create, read, change, apply, delete, power, interfaces (`api.md`, Mobile gateway operations). */
export const gatewayRoutes: Routes = {
  'GET /appliance': (request) => ({
    body: listPage(
      gatewayListing(request, request.world),
      listQuery(request.query),
      'Appliances',
      request.simulation.settings.pageLimit,
    ),
  }),

  'POST /appliance'(request) {
    const { simulation, world, now, extended } = request;
    const { Appliance: given } = parseBody(createGatewayBody, request.body);
    const settings = given.Settings ? settingsOf(given.Settings.MobileGateway) : null;
    if (settings) checkSettings(settings);
    const gateway = makeGateway(simulation, {
      zone: request.zone,
      name: given.Name,
      description: given.Description ?? '',
      tags: given.Tags ?? [],
      settings,
      notFoundLeft: simulation.settings.notFoundAfterCreate,
      shownAt: now + simulation.settings.shownAfterCreate,
      now,
      availableAt: now + simulation.settings.migratingTime,
    });
    world.gateways.set(gateway.id, gateway);
    touch(world, 'gateways', gateway.id);
    const view = { ...gatewayView(gateway, now, extended), Availability: 'migrating', Instance: null, Interfaces: [] };
    return accepted('Accepted', { Appliance: view }, 202);
  },

  'GET /appliance/:id': (request) => ({
    body: { Appliance: gatewayView(gatewayOf(request), request.now, request.extended) },
  }),

  'PUT /appliance/:id'(request) {
    const gateway = availableGateway(request);
    const { Appliance: given } = parseBody(changeGatewayBody, request.body);
    if (given.SettingsHash && given.SettingsHash !== settingsHash(gateway.pending)) {
      throw conflict('Appliance.SettingsHash: the settings have changed since', 'original_hash_mismatch');
    }
    if (given.Settings) {
      const settings = settingsOf(given.Settings.MobileGateway);
      checkSettings(settings);
      gateway.pending = settings;
    }
    if (given.Name !== undefined) gateway.name = given.Name;
    if (given.Description !== undefined) gateway.description = given.Description ?? '';
    if (given.Tags !== undefined) gateway.tags = given.Tags ?? [];
    touch(request.world, 'gateways', gateway.id);
    return accepted(true, { Appliance: gatewayView(gateway, request.now, request.extended) });
  },

  'PUT /appliance/:id/config'(request) {
    const gateway = availableGateway(request);
    gateway.applied = gateway.pending && structuredClone(gateway.pending);
    gateway.configuredAt ??= request.now;
    touch(request.world, 'gateways', gateway.id);
    return accepted(true);
  },

  'DELETE /appliance/:id'(request) {
    const gateway = gatewayOf(request);
    if (gateway.sims.size > 0) {
      throw conflict(`mobile gateway ${gateway.id} has ${gateway.sims.size} SIMs registered: remove them first`);
    }
    const running = availabilityOf(gateway, request.now) === 'available' && gateway.instanceStatus !== 'down';
    // The given interface deletes from any state; the public clients stop a gateway first and would meet a 409 otherwise.
    if (request.extended && running) throw conflict(`mobile gateway ${gateway.id} is up: stop it first`);
    request.world.gateways.delete(gateway.id);
    touch(request.world, 'gateways', gateway.id);
    return { body: { Appliance: deletedGatewayView(gateway, request.now, request.extended), Success: true } };
  },

  'GET /appliance/:id/power'(request) {
    const gateway = gatewayOf(request);
    return { body: { Instance: { Status: gateway.instanceStatus } } };
  },

  'PUT /appliance/:id/power'(request) {
    const gateway = availableGateway(request);
    if (gateway.instanceStatus === 'up') throw conflict(`mobile gateway ${gateway.id} is up`);
    Object.assign(gateway, { instanceStatus: 'up', instanceChangedAt: request.now, stopped: false });
    refreshGatewaySessions(request.world, gateway, request.now);
    touch(request.world, 'gateways', gateway.id);
    return { body: { Success: true } };
  },

  'DELETE /appliance/:id/power'(request) {
    const gateway = availableGateway(request);
    Object.assign(gateway, { instanceStatus: 'down', instanceChangedAt: request.now, stopped: true });
    refreshGatewaySessions(request.world, gateway, request.now);
    touch(request.world, 'gateways', gateway.id);
    return { body: { Success: true } };
  },

  'PUT /appliance/:id/reset'(request) {
    const gateway = availableGateway(request);
    if (gateway.instanceStatus !== 'up') throw conflict(`mobile gateway ${gateway.id} is not up`);
    gateway.instanceChangedAt = request.now;
    touch(request.world, 'gateways', gateway.id);
    return { body: { Success: true } };
  },

  'PUT /appliance/:id/interface/1/to/switch/:switch_id'(request) {
    const gateway = availableGateway(request);
    if (gateway.switchID !== null) throw conflict('interface 1 is connected already', 'res_already_connected');
    const switchID = request.ids[1] ?? '';
    if (!/^\d{1,15}$/.test(switchID)) throw badRequest('switch_id: write the ID of a switch');
    gateway.switchID = switchID;
    touch(request.world, 'gateways', gateway.id);
    return { body: { Success: true } };
  },

  'DELETE /appliance/:id/interface/1/to/switch'(request) {
    const gateway = availableGateway(request);
    if (gateway.switchID === null) throw conflict('interface 1 is not connected');
    gateway.switchID = null;
    touch(request.world, 'gateways', gateway.id);
    return { body: { Success: true } };
  },
};
