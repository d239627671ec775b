import { RejectedError } from '../../cloud/errors.ts';
import { zones } from '../../cloud/zones.ts';

/** Whether the service said that there is no such zone: it knows no operation there, and nobody else knows the zone. */
export function isUnknownZone(error: unknown, zone: string): boolean {
  return error instanceof RejectedError && error.status === 404 && !zones.some((known) => known === zone);
}

/** The error as it is, or what it means where the zone is to blame. */
export function explainZone(error: unknown, zone: string): unknown {
  if (!(error instanceof RejectedError) || !isUnknownZone(error, zone)) return error;
  const advice = `Delete this resource and create it in one of ${zones.join(', ')}.`;
  return new RejectedError(`The service has no zone ${zone}`, advice, {
    route: error.route,
    status: 404,
    cause: error,
  });
}
