import type { Caller } from '../http/caller.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { defined } from '../list/page.ts';
import { reader } from '../wire/read.ts';
import { monitorWire, powerWire, type ServerWire, serverAnswerWire, snapshotWire } from './wire.ts';

export interface Server {
  id: string;
  name: string;
  description?: string;
  hostName?: string;
  availability: string;
  plan?: { id?: string; name?: string; cpu?: number; memoryMB?: number };
  /** `up`, `down` or others, as it came. */
  instanceStatus?: string;
  instanceStatusChangedAt?: string;
  tags: string[];
  /** The whole resource as it came, for `api.md` does not show its fields. */
  raw: Readonly<Record<string, unknown>>;
}

export interface ServerPower {
  /** `up`, `down`, `cleaning` or others, as it came; empty where unknown. */
  status: string;
  beforeStatus?: string;
  changedAt?: string;
}

/** Processor time at one moment, in seconds a second. */
export interface ServerMetric {
  at: string;
  cpuTime: number;
}

/** Server operations (`api.md`, Server operations), each in the server's own zone. All throw CloudError. */
export interface ServerApi {
  read(zone: string, id: string, o: CallOptions): Promise<Server>;
  /** The server may have a new ID afterwards: the answer's. */
  changePlan(zone: string, id: string, planID: string, o: CallOptions): Promise<Server>;
  /** Oldest first; without a range, what the service chooses. */
  monitor(
    zone: string,
    id: string,
    q: { start?: Date | undefined; end?: Date | undefined },
    o: CallOptions,
  ): Promise<ServerMetric[]>;
  power(zone: string, id: string, o: CallOptions): Promise<ServerPower>;
  powerOn(zone: string, id: string, o: CallOptions): Promise<void>;
  /** Gracefully unless forced. */
  powerOff(zone: string, id: string, q: { force?: boolean | undefined }, o: CallOptions): Promise<void>;
  reset(zone: string, id: string, o: CallOptions): Promise<void>;
  /** Pressed together, for example `['ctrl', 'alt', 'delete']`. */
  pressKeys(zone: string, id: string, keys: readonly string[], o: CallOptions): Promise<void>;
  /** A picture of the screen. */
  snapshot(zone: string, id: string, o: CallOptions): Promise<{ image: Uint8Array; contentType: string }>;
}

const serverAnswer = reader(serverAnswerWire, (wire) => toServer(wire.Server));
const powerAnswer = reader(powerWire, ({ Instance }) =>
  defined({
    status: Instance?.Status ?? '',
    beforeStatus: Instance?.BeforeStatus,
    changedAt: Instance?.StatusChangedAt,
  }),
);
const monitorAnswer = reader(monitorWire, ({ Data }) =>
  Object.entries(Data ?? {})
    .flatMap(([at, point]) => (point?.['CPU-TIME'] === undefined ? [] : [{ at, cpuTime: point['CPU-TIME'] }]))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
);
const snapshotAnswer = reader(snapshotWire, ({ Image }) => Buffer.from(Image, 'base64'));

export function createServerApi(caller: Caller): ServerApi {
  const item = '/server/:id';
  const on = (zone: string, route: string, id: string) => ({ api: 'cloud', zone, route, params: { id } }) as const;

  return {
    read: (zone, id, o) => caller.read(on(zone, `GET ${item}`, id), serverAnswer, o),
    changePlan(zone, id, planID, o) {
      const route = `PUT ${item}/to/plan/:planID`;
      // A second one would not find the server, which has a new ID by then.
      return caller.read({ api: 'cloud', zone, route, params: { id, planID }, idempotent: false }, serverAnswer, o);
    },
    monitor(zone, id, { start, end }, o) {
      const range = defined({ Start: start?.toISOString(), End: end?.toISOString() });
      const query = Object.keys(range).length === 0 ? {} : { query: range };
      return caller.read({ ...on(zone, `GET ${item}/monitor`, id), ...query, answers: 'list' }, monitorAnswer, o);
    },
    power: (zone, id, o) => caller.read(on(zone, `GET ${item}/power`, id), powerAnswer, o),
    powerOn: (zone, id, o) => caller.perform(on(zone, `PUT ${item}/power`, id), o),
    powerOff: (zone, id, { force }, o) =>
      caller.perform({ ...on(zone, `DELETE ${item}/power`, id), body: { Force: force ?? false } }, o),
    reset: (zone, id, o) => caller.perform({ ...on(zone, `PUT ${item}/reset`, id), idempotent: false }, o),
    pressKeys(zone, id, keys, o) {
      const body = keys.length === 1 ? { Key: keys[0] } : { Keys: keys };
      return caller.perform({ ...on(zone, `PUT ${item}/keyboard`, id), body, idempotent: false }, o);
    },
    async snapshot(zone, id, o) {
      const call = { ...on(zone, `GET ${item}/vnc/snapshot`, id), answers: 'picture' } as const;
      const { answer, json } = await caller.bytes(call, o);
      if (/^image\//i.test(answer.contentType)) return { image: answer.body, contentType: answer.contentType };
      const image = json(snapshotAnswer);
      return { image, contentType: image[0] === 0xff && image[1] === 0xd8 ? 'image/jpeg' : 'image/png' };
    },
  };
}

function toServer(wire: ServerWire): Server {
  const { ServerPlan: plan, Instance } = wire;
  return defined({
    id: wire.ID,
    name: wire.Name ?? '',
    description: wire.Description,
    hostName: wire.HostName,
    availability: wire.Availability ?? '',
    plan: plan && defined({ id: plan.ID, name: plan.Name, cpu: plan.CPU, memoryMB: plan.MemoryMB }),
    instanceStatus: Instance?.Status,
    instanceStatusChangedAt: Instance?.StatusChangedAt,
    tags: wire.Tags,
    raw: wire,
  });
}
