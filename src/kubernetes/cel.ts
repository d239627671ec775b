/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** CEL; `self` is the value the rule is attached to, `oldSelf` what it was. */
  rule: string;
  /** What to write instead. */
  message: string;
  /** CEL that makes the message, where the value itself must be shown. */
  messageExpression?: string;
  /** Which field the message is about, such as `.origin`. */
  fieldPath?: string;
  reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
}

/** Words that CEL keeps to itself; as field names they are written between double underscores. */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** A field of `self`, or of another value, as CEL writes it. */
export function celField(name: string, of = 'self'): string {
  if (RESERVED.has(name)) return `${of}.__${name}__`;
  return `${of}.${name.replaceAll('__', '__underscores__').replaceAll('.', '__dot__').replaceAll('-', '__dash__').replaceAll('/', '__slash__')}`;
}

/**
 * For a required field: it never changes. On an optional one it would not hold against removing the field and adding
 * it anew: see `immutableOnceSet`.
 */
export function immutable(message: string): ValidationRule {
  return { rule: 'self == oldSelf', message, reason: 'FieldValueForbidden' };
}

/** For the object around an optional field: once given, the field neither changes nor goes. */
export function immutableOnceSet(field: string, message: string): ValidationRule {
  return unchanged(field, message, (now, before) => `!has(${before}) || (has(${now}) && ${now} == ${before})`);
}

/** For the object around an optional field: once given, the field may go, but does not become another. */
export function immutableWhileSet(field: string, message: string): ValidationRule {
  return unchanged(field, message, (now, before) => `!has(${before}) || !has(${now}) || ${now} == ${before}`);
}

function unchanged(field: string, message: string, rule: (now: string, before: string) => string): ValidationRule {
  return {
    rule: rule(celField(field), celField(field, 'oldSelf')),
    message,
    reason: 'FieldValueForbidden',
    fieldPath: `.${field}`,
  };
}

/** For the object around the fields: whether the field is there stays as it was, whatever its value. */
export function presenceFixed(field: string, message: string): ValidationRule {
  return {
    rule: `has(${celField(field)}) == has(${celField(field, 'oldSelf')})`,
    message,
    reason: 'FieldValueForbidden',
    fieldPath: `.${field}`,
  };
}

export function exactlyOneOf(fields: readonly string[], message?: string): ValidationRule {
  return {
    rule: `${countOf(fields)} == 1`,
    message: message ?? `exactly one of ${listed(fields)} must be given`,
  };
}

export function atMostOneOf(fields: readonly string[], message?: string): ValidationRule {
  return {
    rule: `${countOf(fields)} <= 1`,
    message: message ?? `at most one of ${listed(fields)} may be given`,
  };
}

/** A field makes sense only beside another. */
export function requires(field: string, other: string, message?: string): ValidationRule {
  return {
    rule: `!has(${celField(field)}) || has(${celField(other)})`,
    message: message ?? `${field} can be given only together with ${other}`,
    fieldPath: `.${field}`,
  };
}

/** For `.meta(...)` of a zod schema, last in the chain: `.extend` and `.partial` lose it. */
export function validations(...rules: ValidationRule[]): Record<string, unknown> {
  return { 'x-kubernetes-validations': rules };
}

/** For `.meta(...)` of a list whose items are told apart by these fields; their order has no meaning. */
export function listMap(...keys: string[]): Record<string, unknown> {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

/** For `.meta(...)` of a list of scalars without duplicates and without order. */
export function listSet(): Record<string, unknown> {
  return { 'x-kubernetes-list-type': 'set' };
}

function countOf(fields: readonly string[]): string {
  const [one, two] = fields;
  if (fields.length === 2 && one !== undefined && two !== undefined) {
    return `(has(${celField(one)}) ? 1 : 0) + (has(${celField(two)}) ? 1 : 0)`;
  }
  return `[${fields.map((field) => `has(${celField(field)})`).join(', ')}].filter(given, given).size()`;
}

function listed(fields: readonly string[]): string {
  return fields.length < 2 ? fields.join('') : `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`;
}
