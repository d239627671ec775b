import type { Dispatcher } from 'undici';
import type { WireDispatcher } from '../../cloud/http/dispatcher.ts';
import { locate } from '../../simulator/locate.ts';
import { createOperations } from '../../simulator/operations.ts';
import type { Service, ServiceAnswer } from '../service/types.ts';
import { type Network, type Sender, SocketError } from './network.ts';

/** What carries the requests of one process to the service, over the simulated network. */
export function createServiceDispatcher(
  network: Pick<Network, 'carry'>,
  service: Service,
  from: Sender,
): WireDispatcher {
  return {
    dispatch(request, handler) {
      const method = request.method;
      const target = request.path;
      const headers = headersOf(request.headers);
      const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : undefined;
      const route = routeOf(method, target);
      let reason: Error | null = null;
      let giveUp = () => {};
      const controller: Dispatcher.DispatchController = {
        get aborted() {
          return reason !== null;
        },
        paused: false,
        get reason() {
          return reason;
        },
        rawHeaders: null,
        rawTrailers: null,
        abort(error) {
          if (reason) return;
          reason = error;
          giveUp();
          handler.onResponseError?.(controller, error);
        },
        pause() {},
        resume() {},
      };
      giveUp = network.carry<ServiceAnswer>(
        from,
        { to: 'service', verb: method, route, target, body },
        {
          onWire: () => handler.onRequestStart?.(controller, {}),
          arrive(fault) {
            const of = typeof fault?.fault === 'object' && 'service' in fault.fault ? fault.fault.service : undefined;
            return service.handle({ method, target, headers, body, from: from.name }, of);
          },
          answered(answer) {
            handler.onResponseStart?.(controller, answer.status, answer.headers);
            if (answer.body !== '') handler.onResponseData?.(controller, Buffer.from(answer.body));
            if (!reason) handler.onResponseEnd?.(controller, {});
          },
          failed(error) {
            handler.onResponseError?.(controller, error instanceof Error ? error : new SocketError('ECONNRESET'));
          },
        },
      );
      return true;
    },
    destroy: async () => {},
  };
}

const router = createOperations(() => new Map());

/** The operation a request is for, by its router's name. */
function routeOf(method: string, target: string): string {
  return locate(router, method, target.split('?')[0] ?? '')?.name ?? `${method} (unknown)`;
}

function headersOf(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  if (headers === null || headers === undefined || Array.isArray(headers) || Symbol.iterator in headers) {
    throw new TypeError('the client writes its headers as an object');
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
