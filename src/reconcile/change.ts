import type { Drift } from './managed-object.ts';
import { SecretValue } from './secret-value.ts';

/** One field that a write changes. Values are short text, as in `status.drift`; a secret is `(secret)`. */
export interface FieldChange {
  /** As the spec names it, such as `ipAddress` or `origin.webServer.host`. */
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** What a value may be that is told: a secret only as what shows nothing. */
type Told = string | number | boolean | SecretValue | undefined;

/** What stands for every secret, the same for all of them. */
const SECRET = '(secret)';

/** A change of one field; undefined: there is no value. */
export function changeOf(field: string, before: Told, after: Told): FieldChange {
  return { field, before: told(before), after: told(after) };
}

/** A change of a secret, of which nobody is told more than whether there was one. */
export function secretChange(
  field: string,
  isThere: { readonly before: boolean; readonly after: boolean },
): FieldChange {
  return changeOf(field, isThere.before ? SECRET : undefined, isThere.after ? SECRET : undefined);
}

/** What mending drift changes. */
export function mending(drift: readonly Drift[]): FieldChange[] {
  return drift.map(({ field, desired, observed }) => ({ field, before: observed, after: desired }));
}

function told(value: Told): string {
  if (value instanceof SecretValue) return SECRET;
  return value === undefined || value === '' ? 'none' : String(value);
}

/**
 * Why something is written. `means` is for the reference; `because` goes on from what was done: "Activated it, because the
 * spec changed."
 */
export const changeCauses = {
  Creation: {
    means: 'The resource is new: its object is created, or what the spec asks of it is carried out for the first time.',
    because: 'the resource is new',
  },
  Recreation: {
    means: 'What belonged to the resource had vanished from the service, and is made again.',
    because: 'what was there had vanished',
  },
  Adoption: {
    means: 'The resource took over what existed, and what the spec asks of it is carried out for the first time.',
    because: 'it was taken over',
  },
  SpecChanged: {
    means:
      'The spec asks for something else than before. If the same generation changed more, so does whatever is written with it.',
    because: 'the spec changed',
  },
  FieldUnset: {
    means: 'A field that the resource had written has left the spec.',
    because: 'the field left the spec',
  },
  DriftRepaired: {
    means: 'The service had something else than what was written there last: somebody changed it, and it is put right.',
    because: 'it was changed at the service',
  },
  SecretChanged: {
    means: 'A Secret that the spec names has another value.',
    because: 'a Secret changed',
  },
  CertificateRotated: {
    means: 'The Secret of a SiteCertificate holds another certificate, or another chain.',
    because: 'the certificate was renewed',
  },
  ReferenceChanged: {
    means: 'Something the spec refers to is another by now: the gateway of a Sim, the Sim of a route.',
    because: 'what the spec refers to changed',
  },
  MakesRoom: {
    means: 'Sims exchange their addresses in a circle, and this one gives up its own first.',
    because: 'Sims exchange addresses',
  },
  DataLimitExceeded: {
    means: 'More went through a SIM this month than the `dataLimit` of its Sim lets, which asks for its deactivation.',
    because: 'its data limit is exceeded',
  },
  DataLimitEnded: {
    means: 'The SIM was deactivated for its `dataLimit`, and that is over: by the month, or because the spec changed.',
    because: 'its data limit holds it no longer',
  },
  Annotation: {
    means: 'A person asked for it by an annotation, such as `edgeline.dev/reconnect-at`.',
    because: 'an annotation asked for it',
  },
  Repetition: {
    means: 'It is sent once more because the service does not show whether it still is so.',
    because: 'the service does not show it',
  },
  Resumed: {
    means: 'Work begun earlier goes on: it was interrupted, refused, or had to wait.',
    because: 'it was begun earlier',
  },
  Deletion: { means: 'The resource is being deleted.', because: 'the resource is being deleted' },
  Interrupted: {
    means:
      'A process of the operator ended in the middle: what it had sent last may have been done. Told by the next process.',
    because: 'a process ended in the middle',
  },
} as const;

export type ChangeCause = keyof typeof changeCauses;

/** Why a wanted value may be another although the spec is as it was. */
export type OutsideCause = Extract<ChangeCause, 'SecretChanged' | 'CertificateRotated' | 'ReferenceChanged'>;

const routine: ReadonlySet<ChangeCause> = new Set(['Creation', 'SpecChanged', 'FieldUnset', 'Resumed']);

/** Whether a write carries out what somebody has just written into a spec, as opposed to what nobody asked for. */
export function isRoutine(cause: ChangeCause): boolean {
  return routine.has(cause);
}
