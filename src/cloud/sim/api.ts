import * as z from 'zod';
import type { Caller } from '../http/caller.ts';
import type { KnownList } from '../http/known-items.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { defined, type Page, pageOf } from '../list/page.ts';
import { pageShape } from '../wire/common.ts';
import { listReader, reader } from '../wire/read.ts';
import { toCarrier, toMetrics, toSimItem, toSimStatus } from './mapping.ts';
import { movingTraffic } from './moving-traffic.ts';
import { type SessionLogEntry, sessionLogOf } from './session-log.ts';
import type { Carrier, SimItem, SimMetric, SimStatus } from './types.ts';
import {
  carriersWire,
  sessionLogWire,
  simAnswerWire,
  simItemWire,
  simMetricsWire,
  simStatusAnswerWire,
} from './wire.ts';

export type { Page };

export interface SimListQuery {
  readonly from: number;
  readonly count: number;
  /** Pairs of field path and value beside the class, for example `{Name: 'truck'}`; the service may match parts. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  /** What is read once and for all of a SIM that no later page shows another way; of the same list only. */
  readonly known?: KnownList<SimItem | undefined> | undefined;
}

/** SIM operations (`api.md`, SIM operations). All throw CloudError. */
export interface SimApi {
  /** One page, each SIM with its live status. */
  list(query: SimListQuery, o: CallOptions): Promise<Page<SimItem>>;
  read(id: string, o: CallOptions): Promise<SimItem>;
  create(
    sim: { name: string; iccid: string; passCode: string; description?: string | undefined },
    o: CallOptions,
  ): Promise<SimItem>;
  delete(id: string, o: CallOptions): Promise<void>;
  status(id: string, o: CallOptions): Promise<SimStatus>;
  activate(id: string, o: CallOptions): Promise<void>;
  deactivate(id: string, o: CallOptions): Promise<void>;
  reconnect(id: string, o: CallOptions): Promise<void>;
  /** Replaces all carriers; at least one must be allowed. */
  setCarriers(id: string, carriers: readonly { name: string; allow: boolean }[], o: CallOptions): Promise<void>;
  carriers(id: string, o: CallOptions): Promise<Carrier[]>;
  /** IPv4; the SIM must be registered to a gateway. */
  setIP(id: string, ip: string, o: CallOptions): Promise<void>;
  clearIP(id: string, o: CallOptions): Promise<void>;
  lockIMEI(id: string, imei: string, o: CallOptions): Promise<void>;
  /** An error when it is not locked: look first. */
  unlockIMEI(id: string, o: CallOptions): Promise<void>;
  /** The newest entries first. */
  sessionLog(id: string, q: { count?: number | undefined }, o: CallOptions): Promise<SessionLogEntry[]>;
  /** Points in steps of five minutes, oldest first, both ends included. */
  metrics(id: string, q: { start: Date; end: Date }, o: CallOptions): Promise<SimMetric[]>;
  /** Extended only; NotInDialectError otherwise. */
  rename(
    id: string,
    change: { name: string; description?: string | undefined; tags?: readonly string[] | undefined },
    o: CallOptions,
  ): Promise<SimItem>;
}

const simAnswer = reader(simAnswerWire, (wire) => toSimItem(wire.CommonServiceItem));
const simList = listReader({
  member: 'CommonServiceItems',
  frame: z.looseObject(pageShape),
  item: simItemWire,
  map: toSimItem,
  moving: movingTraffic,
});
const statusAnswer = reader(simStatusAnswerWire, (wire) => toSimStatus(wire.sim));
const carriersAnswer = reader(carriersWire, (wire) => wire.network_operator_config.map(toCarrier));
const logAnswer = reader(sessionLogWire, sessionLogOf);
const metricsAnswer = reader(simMetricsWire, (wire) => toMetrics(wire.Data ?? {}));

/** Datetimes with milliseconds and offset, as the metrics query wants them. */
const withOffset = (date: Date) => date.toISOString().replace('Z', '+00:00');

export function createSimApi(caller: Caller): SimApi {
  const item = '/commonserviceitem/:id';
  const on = (route: string, id: string) => ({ api: 'cloud', route, params: { id } }) as const;

  return {
    async list({ from, count, filter, known }, o) {
      const query = {
        From: from,
        Count: count,
        // New SIMs have the highest IDs: in this order a creation between two pages shifts nothing.
        Sort: ['ID'],
        Include: ['*', 'Status.sim'],
        Filter: { 'Provider.Class': 'sim', ...filter },
      };
      const call = { api: 'cloud', route: 'GET /commonserviceitem', query, answers: 'list' } as const;
      const { frame, items } = await caller.readPage(call, simList, known && { list: known, from }, o);
      return pageOf(frame, from, items);
    },
    read: (id, o) => caller.read(on(`GET ${item}`, id), simAnswer, o),
    create({ name, iccid, passCode, description }, o) {
      const sim = {
        Name: name,
        ...defined({ Description: description }),
        Status: { ICCID: iccid },
        Remark: { PassCode: passCode },
        Provider: { Class: 'sim' },
      };
      const call = {
        api: 'cloud',
        route: 'POST /commonserviceitem',
        body: { CommonServiceItem: sim },
        secrets: [passCode],
      } as const;
      return caller.read(call, simAnswer, o);
    },
    // What has the ID when it is sent again may be another.
    delete: (id, o) => caller.perform({ ...on(`DELETE ${item}`, id), idempotent: false }, o),
    status: (id, o) => caller.read(on(`GET ${item}/sim/status`, id), statusAnswer, o),
    activate: (id, o) => caller.perform(on(`PUT ${item}/sim/activate`, id), o),
    deactivate: (id, o) => caller.perform(on(`PUT ${item}/sim/deactivate`, id), o),
    // Twice would cut the session twice.
    reconnect: (id, o) => caller.perform({ ...on(`PUT ${item}/sim/reconnect`, id), idempotent: false }, o),
    setCarriers(id, carriers, o) {
      const body = { network_operator_config: carriers.map(({ name, allow }) => ({ name, allow })) };
      return caller.perform({ ...on(`PUT ${item}/sim/network_operator_config`, id), body }, o);
    },
    carriers: (id, o) => caller.read(on(`GET ${item}/sim/network_operator_config`, id), carriersAnswer, o),
    setIP: (id, ip, o) => caller.perform({ ...on(`PUT ${item}/sim/ip`, id), body: { sim: { ip } } }, o),
    clearIP: (id, o) => caller.perform(on(`DELETE ${item}/sim/ip`, id), o),
    lockIMEI: (id, imei, o) => caller.perform({ ...on(`PUT ${item}/sim/imeilock`, id), body: { sim: { imei } } }, o),
    unlockIMEI: (id, o) => caller.perform(on(`DELETE ${item}/sim/imeilock`, id), o),
    sessionLog(id, { count }, o) {
      const query = count === undefined ? {} : { query: { Count: count } };
      return caller.read({ ...on(`GET ${item}/sim/sessionlog`, id), ...query, answers: 'list' }, logAnswer, o);
    },
    metrics(id, { start, end }, o) {
      const query = { Start: withOffset(start), End: withOffset(end) };
      return caller.read({ ...on(`GET ${item}/sim/metrics`, id), query, answers: 'list' }, metricsAnswer, o);
    },
    rename(id, { name, description, tags }, o) {
      const body = { CommonServiceItem: defined({ Name: name, Description: description, Tags: tags }) };
      return caller.read({ ...on(`PUT ${item}`, id), body, extension: true }, simAnswer, o);
    },
  };
}
