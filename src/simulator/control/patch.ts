import * as z from 'zod';
import {
  carriersField,
  cidrField,
  iccidField,
  idField,
  imeiField,
  ipv4Field,
  maskLengthField,
  nameField,
  trafficField,
} from '../fields.ts';
import type { Gateway, GatewaySettings, Sim, World } from '../model.ts';
import { gatewayNamed } from '../seed-objects.ts';
import { refreshSession } from '../sim/session.ts';
import type { Simulation } from '../simulation.ts';
import { touch } from '../touch.ts';
import { storedACL } from '../web-acceleration/acl.ts';
import { storeCertificate } from '../web-acceleration/certificate-operations.ts';
import { changeSiteBody } from '../web-acceleration/schema.ts';
import { applySettings } from '../web-acceleration/settings.ts';
import { refreshGatewaySessions, registerSim, setAddress, unregisterSim } from '../world.ts';
import { parsedControl } from './body.ts';
import { ControlError } from './error.ts';
import { locateObject } from './locate-object.ts';

const flag = z.boolean('write true or false');
const text = z.string('write a string');

const simPatch = z.strictObject({
  name: nameField.optional(),
  description: text.optional(),
  tags: z.array(text).optional(),
  activated: flag.optional(),
  ip: ipv4Field.nullable().optional(),
  imeiLock: imeiField.nullable().optional(),
  connectedIMEI: imeiField.optional(),
  /** Of the month so far; what comes is counted on. */
  traffic: trafficField.optional(),
  carriers: carriersField.optional(),
  gatewayID: text.nullable().optional(),
});

const gatewaySettings = z.strictObject({
  internetConnection: flag.nullable().default(null),
  interDeviceCommunication: flag.nullable().default(null),
  privateInterface: z
    .strictObject({ ipAddress: ipv4Field, networkMaskLength: maskLengthField })
    .nullable()
    .default(null),
  staticRoutes: z.array(z.strictObject({ prefix: cidrField, nextHop: ipv4Field })).default([]),
}) satisfies z.ZodType<GatewaySettings>;

const gatewayPatch = z.strictObject({
  name: nameField.optional(),
  description: text.optional(),
  tags: z.array(text).optional(),
  /** Any word; null goes back to what time says. */
  availability: text.nullable().optional(),
  instanceStatus: text.optional(),
  /** As if PUT, not applied yet. */
  settings: gatewaySettings.nullable().optional(),
  /** As if applied. */
  applied: gatewaySettings.nullable().optional(),
  dns: z.strictObject({ primary: ipv4Field, secondary: ipv4Field }).nullable().optional(),
  simRoutes: z.array(z.strictObject({ simID: idField, prefix: cidrField })).optional(),
  trafficMonitoring: z
    .strictObject({
      quotaMB: z.int(),
      autoTrafficShaping: flag.default(false),
      bandwidthLimitKbps: z.int().nullable().default(null),
      email: flag.default(false),
      chat: flag.default(false),
      chatURL: text.default(''),
    })
    .nullable()
    .optional(),
});

const sitePatch = z.strictObject({
  status: text.optional(),
  /** By the names of `PUT /site/:id`, numbers as numbers. */
  settings: z.record(z.string(), z.unknown()).optional(),
  accessControl: z.array(text).optional(),
  /** Null takes the current one away. */
  certificate: z.strictObject({ chain: text, key: text }).nullable().optional(),
});

const serverPatch = z.strictObject({ name: nameField.optional(), power: z.enum(['up', 'down']).optional() });

const patchSchema = z.strictObject({
  sims: z.record(z.union([idField, iccidField]), simPatch).default({}),
  gateways: z.record(z.string(), gatewayPatch).default({}),
  sites: z.record(z.string(), sitePatch).default({}),
  servers: z.record(z.string(), serverPatch).default({}),
});

export type StatePatch = z.input<typeof patchSchema>;

/**
 * Changes the state behind the clients' back. Only the form is checked: drift may be what the service would refuse. But what
 * no service could show is refused here, too: an address is one on a gateway.
 */
export function patchState(simulation: Simulation, body: unknown): void {
  const patch = parsedControl(patchSchema, body);
  const now = simulation.clock.now();
  for (const [name, change] of Object.entries(patch.gateways)) {
    const { world, object } = locateObject(simulation, 'gateways', name);
    patchGateway(world, object, change, now);
  }
  for (const [name, change] of Object.entries(patch.sims)) {
    const { world, object } = locateObject(simulation, 'sims', name);
    patchSim(world, object, change, now);
  }
  for (const [name, change] of Object.entries(patch.sites)) patchSite(simulation, name, change);
  for (const [name, change] of Object.entries(patch.servers)) {
    const { world, object } = locateObject(simulation, 'servers', name);
    Object.assign(object, given(change));
    touch(world, 'servers', object.id);
  }
}

function patchSim(world: World, sim: Sim, change: z.infer<typeof simPatch>, now: number): void {
  const { gatewayID = sim.gatewayID, ip, activated, traffic, ...plain } = change;
  const gateway = gatewayID === null ? undefined : gatewayNamed(world, gatewayID);
  if (gatewayID !== null && !gateway) throw new ControlError(404, `gatewayID: there is no gateway ${gatewayID}`);
  if (typeof ip === 'string' && !gateway) {
    throw new ControlError(409, `ip: SIM ${sim.id} is on no gateway, and has no address: write its gatewayID, too`);
  }
  if (traffic) sim.counted = { at: now, ...traffic };
  if ((gateway?.id ?? null) !== sim.gatewayID) {
    unregisterSim(world, sim, now);
    if (gateway) registerSim(world, sim, gateway, now);
  }
  if (ip !== undefined) setAddress(world, sim, ip, now);
  if (activated !== undefined && activated !== sim.activated) {
    sim.activated = activated;
    if (activated) sim.activatedAt = now;
    else sim.deactivatedAt = now;
  }
  Object.assign(sim, given(plain), { modifiedAt: now });
  touch(world, 'sims', sim.id);
  refreshSession(world, sim, now);
}

function patchGateway(world: World, gateway: Gateway, change: z.infer<typeof gatewayPatch>, now: number): void {
  const { settings, instanceStatus, ...plain } = change;
  Object.assign(gateway, given(plain));
  if (settings !== undefined) gateway.pending = settings;
  // Nothing takes effect without a config.
  if (change.applied) gateway.configuredAt ??= now;
  if (instanceStatus !== undefined) {
    Object.assign(gateway, {
      instanceStatus,
      instanceChangedAt: now,
      stopped: instanceStatus.toLowerCase() === 'down',
    });
  }
  touch(world, 'gateways', gateway.id);
  refreshGatewaySessions(world, gateway, now);
}

function patchSite(simulation: Simulation, name: string, change: z.infer<typeof sitePatch>): void {
  const { world, object: site } = locateObject(simulation, 'sites', name);
  touch(world, 'sites', site.id);
  if (change.status !== undefined) site.status = change.status;
  if (change.settings) applySettings(site, parsedControl(changeSiteBody(false), { Site: change.settings }).Site);
  if (change.accessControl) {
    site.acl = change.accessControl.length === 0 ? '' : storedACL(change.accessControl.join('\n'));
  }
  if (change.certificate === null) site.current = null;
  else if (change.certificate) storeCertificate(simulation, site, change.certificate, simulation.clock.now());
}

/** The members that are there. */
function given(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
