import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../errors.ts';
import { ApiError } from '../api-error.ts';
import { isMoment, momentRange } from '../dates.ts';
import { type Faults, faultSchema } from '../faults.ts';
import type { Holds } from '../holds.ts';
import { isHeapFull, requireMemory } from '../memory.ts';
import { readBody } from '../read-body.ts';
import { readJSON } from '../read-json.ts';
import type { RequestLog } from '../request-log.ts';
import { settingsSchema } from '../settings.ts';
import type { Simulation } from '../simulation.ts';
import { StateFileError } from '../state/error.ts';
import { decoded, splitOnce } from '../url-text.ts';
import { clockSchema, parsedControl } from './body.ts';
import { addObject, deleteObject } from './edit-objects.ts';
import { ControlError } from './error.ts';
import { helpText } from './help.ts';
import { patchState } from './patch.ts';
import { objectView, stateView } from './state-view.ts';

export interface ControlOptions {
  readonly simulation: Simulation;
  readonly faults: Faults;
  readonly holds: Holds;
  readonly requests: RequestLog;
  readonly routes: readonly string[];
  /** Back to the seed. */
  readonly reset: () => void;
}

interface ControlRequest {
  readonly parts: readonly string[];
  readonly parameters: URLSearchParams;
  readonly body: unknown;
}

type Action = (request: ControlRequest) => unknown;
const LONGEST_WAIT_MILLISECONDS = 600_000;
const MOST_FAULTS = 1_000;

/** Serves the control port. Answers are JSON; what cannot be followed answers `{error}`. */
export function createControlHandler(options: ControlOptions) {
  const { simulation } = options;
  const actions = createActions(options);
  return async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      // A page in a browser must not reach this port: it sends an Origin, which no tool does.
      if (request.headers.origin !== undefined) throw new ControlError(403, 'requests from browsers are not accepted');
      const [path, query] = splitOnce(request.url ?? '/', '?');
      const parts = path
        .split('/')
        .filter((part) => part !== '')
        .map(decoded);
      const method = request.method ?? 'GET';
      const text = await readBody(request);
      if (parts.length === 0 && method === 'GET') {
        response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end(helpText(`http://${request.headers.host ?? 'localhost'}`, options.routes));
        return;
      }
      if (parts[0] === 'state') requireMemory(text, isHeapFull);
      const action = actions[`${method} /${parts[0] ?? ''}${'/*'.repeat(Math.max(0, parts.length - 1))}`];
      if (!action) throw new ControlError(404, `there is no ${method} ${path}`);
      const parameters = new URLSearchParams(query);
      // As it is at this moment: what comes while it is kept is not part of the answer.
      const answer = JSON.stringify(await action({ parts, parameters, body: text === '' ? {} : json(text) }));
      await simulation.settle();
      send(response, 200, answer);
    } catch (error) {
      const unkept = await Promise.resolve(simulation.settle()).catch((unkept: unknown) => unkept);
      send(response, statusOf(unkept ?? error), JSON.stringify({ error: messageOf(unkept ?? error) }));
    }
  };
}

function createActions(options: ControlOptions): Readonly<Record<string, Action | undefined>> {
  const { simulation, faults, holds, requests } = options;
  const { clock } = simulation;
  const clockView = () => ({ now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offset() / 1000 });
  return {
    'GET /requests': ({ parameters }) => requests.since(numberOf(parameters, 'since')),
    'DELETE /requests'() {
      requests.clear();
      return {};
    },
    'GET /counts': () => requests.counts(),

    'POST /faults'({ body }) {
      if (faults.list().length >= MOST_FAULTS)
        throw new ControlError(409, `there are ${MOST_FAULTS} faults: remove some first`);
      const fault = faults.add(parsedControl(faultSchema, body));
      if (!fault) throw new ControlError(400, 'route: it fits no operation; GET / lists them');
      return fault;
    },
    'GET /faults': () => ({ faults: faults.list() }),
    'DELETE /faults'() {
      faults.clear();
      return {};
    },
    'DELETE /faults/*'({ parts: [, id = ''] }) {
      if (!faults.remove(id)) throw new ControlError(404, `there is no fault ${id}`);
      return {};
    },

    async 'GET /holds'({ parameters }) {
      return { holds: await holds.wait(Math.min(numberOf(parameters, 'wait'), LONGEST_WAIT_MILLISECONDS)) };
    },
    'POST /holds/*/*'({ parts: [, id = '', verdict = ''] }) {
      if (verdict !== 'release' && verdict !== 'drop') throw new ControlError(404, 'write release or drop');
      if (!holds.decide(id, verdict)) throw new ControlError(404, `there is no held request ${id}`);
      return {};
    },

    'GET /clock': clockView,
    'POST /clock'({ body }) {
      const { advanceSeconds, set } = parsedControl(clockSchema, body);
      const now = clock.now();
      const to = Math.round((set === undefined ? now : Date.parse(set)) + (advanceSeconds ?? 0) * 1000);
      if (!isMoment(to)) throw new ControlError(400, `the clock: write a time ${momentRange}`);
      clock.advance(to - now);
      return clockView();
    },

    'GET /state': () => stateView(simulation),
    'GET /state/*/*': ({ parts: [, kind = '', name = ''] }) => objectView(simulation, kind, name),
    'GET /state/*/*/*'({ parts: [, kind = '', name = '', member = ''] }) {
      const found = Object.entries(objectView(simulation, kind, name)).find(([key]) => key === member);
      if (!found) throw new ControlError(404, `${kind}: ${name} has no ${member}`);
      return found[1];
    },
    'PATCH /state'({ body }) {
      patchState(simulation, body);
      return {};
    },
    'POST /state/*': ({ parts: [, kind = ''], body }) => addObject(simulation, kind, body),
    'DELETE /state/*/*'({ parts: [, kind = '', name = ''] }) {
      deleteObject(simulation, kind, name);
      return {};
    },
    'POST /reset'() {
      options.reset();
      return {};
    },

    'GET /settings': () => simulation.settings,
    'PATCH /settings'({ body }) {
      Object.assign(simulation.settings, parsedControl(settingsSchema.partial(), body));
      return simulation.settings;
    },
  };
}

/** A parameter of the query that is a whole number from 0 on; 0 without it. */
function numberOf(parameters: URLSearchParams, name: string): number {
  const text = parameters.get(name) ?? '0';
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(400, `${name}: write a whole number`);
  return Number(text);
}

function json(text: string): unknown {
  const read = readJSON(text);
  if ('problem' in read) throw new ControlError(400, `the body: ${read.problem}`);
  return read.value;
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError || error instanceof ApiError) return error.status;
  return error instanceof StateFileError ? 503 : 500;
}

function send(response: ServerResponse, status: number, json: string): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(`${json}\n`);
}
