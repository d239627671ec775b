import * as z from 'zod';
import { badRequest, conflict, notFound } from '../api-error.ts';
import { cloudDate } from '../dates.ts';
import { queryObject } from '../list-query.ts';
import type { Server } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, Routes } from '../router.ts';
import { spanQuery } from '../sim/schema.ts';
import { find } from '../simulation.ts';
import { steadyFraction } from '../steady-random.ts';
import { touch } from '../touch.ts';
import { snapshotPNG } from './snapshot.ts';

const MINUTE_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
const LONGEST_SPAN_MILLISECONDS = 31 * 24 * 60 * MINUTE_MILLISECONDS;

const stopBody = z.object({ Force: z.boolean('write true or false').optional() });
const keyName = z
  .string('write the name of a key')
  .min(1, 'write the name of a key')
  .max(64, 'write the name of a key');
const keyboardBody = z
  .object({
    Key: keyName.optional(),
    Keys: z
      .array(keyName, 'write a list of keys')
      .min(1, 'write at least one key')
      .max(16, 'write at most 16 keys')
      .optional(),
  })
  .refine((body) => (body.Key === undefined) !== (body.Keys === undefined), 'write either Key or Keys');

/** The server of the path, in its own zone. */
function serverOf(request: ApiRequest): Server {
  const server = find(request.simulation, request.world, 'servers', request.ids[0] ?? '');
  if (server.zone !== request.zone) throw notFound(`server ${server.id} in zone ${request.zone}`);
  return server;
}

/** The server operations (`api.md` lists their paths; payloads are those of the public clients). */
export const serverRoutes: Routes = {
  'GET /server/:id': (request) => ({ body: { Server: serverView(serverOf(request), request.extended) } }),

  'PUT /server/:id/to/plan/:plan_id'(request) {
    const server = serverOf(request);
    const plan = Number(/^[1-9]\d{0,14}$/.exec(request.ids[1] ?? '')?.[0]);
    if (Number.isNaN(plan)) throw badRequest('plan_id: write the number of a plan');
    if (server.power === 'up') throw conflict(`server ${server.id} is up: power it off first`);
    request.world.servers.delete(server.id);
    server.id = request.simulation.nextID();
    server.planID = plan;
    request.world.servers.set(server.id, server);
    touch(request.world, 'servers', request.ids[0] ?? '');
    touch(request.world, 'servers', server.id);
    return { body: { Server: serverView(server, request.extended), Success: true } };
  },

  'GET /server/:id/monitor'(request) {
    const server = serverOf(request);
    const span = parseBody(spanQuery, queryObject(request.query));
    const end = span.End ?? request.now;
    const start = span.Start ?? end - 24 * 60 * MINUTE_MILLISECONDS;
    if (start > end) throw badRequest('Start: write a datetime before End');
    if (end - start > LONGEST_SPAN_MILLISECONDS) throw badRequest('Start: ask for at most 31 days');
    const data: Record<string, unknown> = {};
    for (let at = Math.ceil(start / STEP_MILLISECONDS) * STEP_MILLISECONDS; at <= end; at += STEP_MILLISECONDS) {
      const used = server.power === 'up' ? steadyFraction(`${server.id} ${at}`) : 0;
      data[cloudDate(at)] = { 'CPU-TIME': Math.round(used * 1000) / 1000 };
    }
    return { body: { Data: data } };
  },

  'GET /server/:id/power': (request) => ({ body: { Instance: instanceView(serverOf(request)) } }),
  'PUT /server/:id/power': (request) => switchPower(request, 'up'),
  'DELETE /server/:id/power'(request) {
    parseBody(stopBody, request.body);
    return switchPower(request, 'down');
  },

  'PUT /server/:id/reset'(request) {
    const server = runningServer(request);
    server.resets++;
    server.powerChangedAt = request.now;
    touch(request.world, 'servers', server.id);
    return { body: { Success: true } };
  },

  'PUT /server/:id/keyboard'(request) {
    const server = runningServer(request);
    const { Key, Keys } = parseBody(keyboardBody, request.body);
    server.keys = [...server.keys, (Keys ?? [Key ?? '']).join('+')].slice(-100);
    touch(request.world, 'servers', server.id);
    return { body: { Success: true } };
  },

  'GET /server/:id/vnc/snapshot'(request) {
    runningServer(request);
    return { body: { Image: snapshotPNG.toString('base64') } };
  },

  'GET /server/:id/vnc/snapshot.png'(request) {
    runningServer(request);
    return { bytes: snapshotPNG, contentType: 'image/png' };
  },
};

function runningServer(request: ApiRequest): Server {
  const server = serverOf(request);
  if (server.power !== 'up') throw conflict(`server ${server.id} is not up`);
  return server;
}

function switchPower(request: ApiRequest, power: 'up' | 'down') {
  const server = serverOf(request);
  if (server.power === power) throw conflict(`server ${server.id} is ${power} already`);
  server.power = power;
  server.powerChangedAt = request.now;
  touch(request.world, 'servers', server.id);
  return { body: { Success: true } };
}

function instanceView(server: Server): Record<string, unknown> {
  return {
    Status: server.power,
    BeforeStatus: server.powerChangedAt === null ? null : server.power === 'up' ? 'down' : 'up',
    StatusChangedAt: server.powerChangedAt === null ? null : cloudDate(server.powerChangedAt),
  };
}

function serverView(server: Server, extended: boolean): Record<string, unknown> {
  return {
    ID: extended ? Number(server.id) : server.id,
    Name: server.name,
    Description: '',
    Tags: [],
    HostName: server.name,
    Availability: 'available',
    ServiceClass: `cloud/plan/${server.planID}`,
    ServerPlan: { ID: server.planID, Name: `plan ${server.planID}` },
    Zone: { Name: server.zone },
    Instance: instanceView(server),
    Disks: [],
    Interfaces: [],
    CreatedAt: cloudDate(server.createdAt),
  };
}
