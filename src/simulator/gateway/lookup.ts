import { conflict, notFound } from '../api-error.ts';
import type { Gateway } from '../model.ts';
import type { ApiRequest, ApiResponse } from '../router.ts';
import { find } from '../simulation.ts';
import { touch } from '../touch.ts';
import { availabilityOf } from './state.ts';

/** The gateway of the path. It is only to be found in its own zone, and a new one may not be found yet. */
export function gatewayOf(request: ApiRequest): Gateway {
  const gateway = find(request.simulation, request.world, 'gateways', request.ids[0] ?? '');
  if (gateway.zone !== request.zone) throw notFound(`mobile gateway ${gateway.id} in zone ${request.zone}`);
  if (request.now < gateway.shownAt) throw notFound(`mobile gateway ${gateway.id}`);
  if (gateway.notFoundLeft > 0) {
    gateway.notFoundLeft--;
    touch(request.world, 'gateways', gateway.id);
    throw notFound(`mobile gateway ${gateway.id}`);
  }
  return gateway;
}

/** The gateway for an operation that takes an available one. */
export function availableGateway(request: ApiRequest): Gateway {
  const gateway = gatewayOf(request);
  const { stillCreatingMs } = request.simulation.settings;
  // A gateway that is `migrating` for the first time is being made; later it moves.
  const isNew = gateway.availability === null && request.now < gateway.availableAt;
  if (isNew || request.now < gateway.createdAt + stillCreatingMs) {
    throw conflict(`mobile gateway ${gateway.id} is still being created`, 'still_creating');
  }
  const availability = availabilityOf(gateway, request.now);
  if (availability === 'migrating') throw conflict(`mobile gateway ${gateway.id} is migrating`, 'in_migration');
  if (availability !== 'available') throw conflict(`mobile gateway ${gateway.id} is ${availability}`);
  return gateway;
}

/** The members that come with create, change and config update (`api.md`, Common response members). */
export function accepted(success: true | 'Accepted', rest: Record<string, unknown> = {}, status = 200): ApiResponse {
  return {
    status,
    body: {
      ...rest,
      Success: success,
      ReturnCode: 0,
      ResponseHeaders: { Status: status === 202 ? '202 Accepted' : '200 OK', Cause: null },
      Out: null,
    },
  };
}
