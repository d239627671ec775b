/** One entry of `details.causes`: what is wrong with one field. */
export interface Cause {
  /** Such as `FieldValueInvalid`. */
  readonly reason: string;
  readonly message: string;
  /** Path of the field, such as `spec.iccid`; `<nil>` where there is none. Absent: it is about no field. */
  readonly field?: string;
}

/** The `details` of a `metav1.Status`. */
export interface Details {
  readonly name?: string;
  readonly group?: string;
  /** The plural, but for 422, which has the kind. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
}

/** How messages name a resource: `sims.edgeline.dev`. */
export interface Named {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** A refusal, which the client is answered with as a `metav1.Status`. */
export class StatusError extends Error {
  /** HTTP status. */
  readonly code: number;
  /** Empty where there is none. */
  readonly reason: string;
  readonly details: Details | undefined;
  /** For a list that expired: the token with which what is left can be had, as it is now. */
  readonly continueToken: string | undefined;

  constructor(code: number, reason: string, message: string, details?: Details, continueToken?: string) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }

  /** The `metav1.Status`. */
  body(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

/** A body whose fields have other types than they should. */
export class DecodeError extends StatusError {
  constructor(message: string) {
    super(400, 'BadRequest', message);
  }
}

function detailsOf(resource: Named, name: string): Details {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

const qualified = ({ group }: Pick<Named, 'group'>, name: string) => (group === '' ? name : `${name}.${group}`);

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

export function notFound(resource: Named, name: string): StatusError {
  const message = `${qualified(resource, resource.plural)} "${name}" not found`;
  return new StatusError(404, 'NotFound', message, detailsOf(resource, name));
}

export function alreadyExists(resource: Named, name: string, isGoing: boolean): StatusError {
  const message = `${isGoing ? 'object is being deleted: ' : ''}${qualified(resource, resource.plural)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: Named, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource, resource.plural)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

export function forbidden(resource: Named, name: string, why: string, causes?: readonly Cause[]): StatusError {
  const place = qualified(resource, resource.plural);
  const message = name === '' ? `${place} is forbidden: ${why}` : `${place} "${name}" is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, { ...detailsOf(resource, name), ...(causes ? { causes } : {}) });
}

/** Of a resource version or a continue token. */
export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, 'Expired', message, undefined, continueToken);
}

/** Names what is wrong with each field. */
export function invalid(resource: Pick<Named, 'group' | 'kind'>, name: string, causes: readonly Cause[]): StatusError {
  const parts = causes.map(({ field, message }) => `${field}: ${message}`);
  const list = parts.length === 1 ? parts.join('') : `[${parts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified(resource, resource.kind)} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    ...(resource.kind === '' ? {} : { kind: resource.kind }),
    causes,
  });
}

/** A value as messages show it. */
function shown(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** The causes a 422 is made of, as `k8s.io/apimachinery/pkg/util/validation/field` words them. */
export const cause = {
  required: (field: string, detail = ''): Cause => ({
    reason: 'FieldValueRequired',
    message: detail === '' ? 'Required value' : `Required value: ${detail}`,
    field,
  }),
  invalid: (field: string, value: unknown, detail: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${shown(value)}: ${detail}`,
    field,
  }),
  type: (field: string, value: unknown, detail: string): Cause => ({
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: ${shown(value)}: ${detail}`,
    field,
  }),
  forbidden: (field: string, detail: string): Cause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${detail}`,
    field,
  }),
  duplicate: (field: string, value: unknown): Cause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${shown(value)}`,
    field,
  }),
  notSupported: (field: string, value: unknown, supported: readonly unknown[]): Cause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shown(value)}: supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
    field,
  }),
  tooLong: (field: string, most: number): Cause => ({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${most} bytes`,
    field,
  }),
  tooMany: (field: string, actual: number, most: number): Cause => ({
    reason: 'FieldValueTooMany',
    message: `Too many: ${actual}: must have at most ${most} items`,
    field,
  }),
};
