import { ConflictError, RejectedError } from '../cloud/errors.ts';
import { refusedAdvice, takenAdvice } from '../cloud/http/answer-errors.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Step } from './plan.ts';

/** So many fields are named: a call of a site may carry all of its settings. */
const MOST_NAMED = 6;
const SECRET = /[sS]ecretRef$/;
const ANEW = ' (for which this resource has to be deleted, and created anew)';
const IN_TWO_STEPS = ' (which is to be taken out of the spec before another is put in)';
/** How to correct what the apiserver refuses to have changed at once. */
const corrections: ReadonlyMap<string, string> = new Map([
  ...['iccid', 'zone', 'domain', 'siteID', 'resourceID'].map((path) => [path, ANEW] as const),
  ['planID', IN_TWO_STEPS],
]);

/**
 * The error of a step's call, where the service refused what it carries, with the fields of the spec that this came from: the
 * service names its own. Others are as they were; so are those of what is deleted, for which the spec asks nothing. Pure.
 */
export function nameFields(error: unknown, step: Step, { metadata, spec }: ManagedObject): unknown {
  if (!(error instanceof RejectedError || error instanceof ConflictError)) return error;
  const isTaken = error.advice === takenAdvice();
  if ((!isTaken && error.advice !== refusedAdvice()) || metadata.deletionTimestamp !== undefined) return error;
  const paths = step.changes.map(({ field }) => field).filter((path) => isIn(spec, path));
  // What is taken is never what a Secret holds.
  const places = isTaken ? paths.filter((path) => !SECRET.test(path)).map(shown) : paths.map(placeOf);
  if (places.length === 0) return error;
  const where = listed([...new Set(places)]);
  return isTaken
    ? new ConflictError(error.message, takenAdvice(where), error.details())
    : new RejectedError(error.message, refusedAdvice(where), error.details());
}

const shown = (path: string) => `spec.${path}`;

function placeOf(path: string): string {
  if (SECRET.test(path)) return `the Secret that ${shown(path)} names`;
  return `${shown(path)}${corrections.get(path) ?? ''}`;
}

function listed(places: readonly string[]): string {
  if (places.length > MOST_NAMED) return `${places.slice(0, MOST_NAMED).join(', ')}, …`;
  return [places.slice(0, -1).join(', '), ...places.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** Whether the spec says something there: what it no longer says, or never said, can't be corrected in it. */
function isIn(spec: unknown, path: string): boolean {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inside, name) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, name) : undefined),
      spec,
    );
  return value !== undefined && value !== null;
}
