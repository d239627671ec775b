import { isMembers, type Members } from './json.ts';
import { DecodeError } from './status.ts';

/**
 * How the apiserver reads and writes the fields of a kind that is built in: what it does not know is dropped, what is empty
 * is left out unless the field is a pointer, and another type is refused.
 */
export type Shape =
  | 'text'
  /** Kept where it is empty. */
  | 'text pointer'
  | 'integer'
  | 'integer pointer'
  | 'boolean pointer'
  /** RFC 3339. */
  | 'time'
  /** With exactly six digits of a second. */
  | 'micro time'
  | 'map of texts'
  | 'map of bytes'
  | 'list of texts'
  | { readonly fields: Shapes };

export type Shapes = Readonly<Record<string, Shape>>;

const MICRO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The schema of a body with these fields, as far as what their names are. */
export function schemaOf(shapes: Shapes): Members {
  const properties = Object.entries(shapes).map(([name, shape]) => [
    name,
    typeof shape === 'object' ? schemaOf(shape.fields) : { 'x-kubernetes-preserve-unknown-fields': true },
  ]);
  return { properties: Object.fromEntries(properties) };
}

/** The fields of a body. Throws 400 where one has another type. */
export function decodeFields(shapes: Shapes, value: Members, kind: string, path = ''): Members {
  const decoded: Members = {};
  for (const name in shapes) {
    const shape = shapes[name];
    const field = value[name];
    if (shape === undefined || field === undefined || field === null) continue;
    const one = decode(shape, field, kind, path === '' ? name : `${path}.${name}`);
    if (one !== undefined) decoded[name] = one;
  }
  return decoded;
}

function decode(shape: Shape, value: unknown, kind: string, path: string): unknown {
  if (typeof shape === 'object') {
    if (!isMembers(value)) throw refused(kind, path, value, 'object');
    return decodeFields(shape.fields, value, kind, path);
  }
  switch (shape) {
    case 'text':
      if (typeof value !== 'string') throw refused(kind, path, value, 'string');
      return value === '' ? undefined : value;
    case 'text pointer':
      if (typeof value !== 'string') throw refused(kind, path, value, 'string');
      return value;
    case 'integer':
    case 'integer pointer':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw refused(kind, path, value, 'int32');
      return value === 0 && shape === 'integer' ? undefined : value;
    case 'boolean pointer':
      if (typeof value !== 'boolean') throw refused(kind, path, value, 'bool');
      return value;
    case 'time':
      if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw refused(kind, path, value, 'Time');
      return value;
    case 'micro time':
      if (typeof value !== 'string' || !MICRO_TIME.test(value)) throw refused(kind, path, value, 'MicroTime');
      return value;
    case 'map of texts':
      return decodeMap(value, kind, path, (text) => text);
    case 'map of bytes':
      return decodeMap(value, kind, path, (text) => {
        if (!BASE64.test(text)) throw new DecodeError(`${kind} cannot be handled: illegal base64 data in ${path}`);
        return text;
      });
    case 'list of texts':
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
        throw refused(kind, path, value, '[]string');
      return value.length === 0 ? undefined : value;
  }
}

function decodeMap(value: unknown, kind: string, path: string, one: (text: string) => string): Members | undefined {
  if (!isMembers(value)) throw refused(kind, path, value, 'map');
  const decoded: Members = {};
  let isEmpty = true;
  for (const name in value) {
    const text = value[name] ?? '';
    if (typeof text !== 'string') throw refused(kind, path, text, 'string');
    decoded[name] = one(text);
    isEmpty = false;
  }
  return isEmpty ? undefined : decoded;
}

function refused(kind: string, path: string, value: unknown, type: string): Error {
  return new DecodeError(
    `${kind} cannot be handled: json: cannot unmarshal ${typeof value} into Go struct field ${path} of type ${type}`,
  );
}
