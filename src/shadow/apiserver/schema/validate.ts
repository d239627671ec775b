import { isEqual, isMembers, type Members } from '../json.ts';
import { type Cause, cause } from '../status.ts';
import { celValue } from './cel-value.ts';
import { memberNode, type Node } from './node.ts';

/** The formats that values have of themselves. */
const FORMATS: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

/** The type of a JSON value, as messages name it. */
function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/**
 * What is wrong with a value. What is equal to what was there before counts as right: rules that came later do not keep what
 * is stored from being written. `old` is undefined where there was nothing, or nothing that can be told to be the same.
 */
export function valueCauses(node: Node, value: unknown, old: unknown, path: string): Cause[] {
  if (old !== undefined && isEqual(value, old)) return [];
  const type = typeOf(value);
  if (type === 'null' && node.nullable) return [];
  if (node.type !== undefined && type !== node.type && !(node.type === 'number' && type === 'integer')) {
    // In the place of a text with a format, the real one takes any list. Of all else it says what format it has.
    if (node.format !== undefined && type === 'array') return [];
    const [found, asked] = node.format === undefined ? [type, node.type] : [FORMATS[type] ?? '', node.format];
    const wrong = cause.type(path, found, `${path} in body must be of type ${asked}: "${found}"`);
    return type === 'null' ? [wrong] : [wrong, ...checks(node, value, path)];
  }
  const causes = checks(node, value, path);
  for (const part of node.allOf) causes.push(...checks(part, value, path));
  if (Array.isArray(value)) causes.push(...itemCauses(node, value, old, path));
  else if (isMembers(value)) causes.push(...memberCauses(node, value, old, path));
  return causes;
}

function enumCauses(node: Node, value: unknown, path: string): Cause[] {
  if (!node.enum || node.enum.some((one) => isEqual(one, value))) return [];
  return [cause.notSupported(path, value, node.enum)];
}

function checks(node: Node, value: unknown, path: string): Cause[] {
  const causes = enumCauses(node, value, path);
  if (typeof value === 'string') causes.push(...textCauses(node, value, path));
  if (typeof value === 'number') causes.push(...numberCauses(node, value, path));
  const { minItems, maxItems, minProperties, maxProperties } = node.bounds;
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems) causes.push(cause.tooMany(path, value.length, maxItems));
    if (minItems !== undefined && value.length < minItems) {
      causes.push(cause.invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
    }
  } else if (isMembers(value)) {
    const size = Object.keys(value).length;
    if (maxProperties !== undefined && size > maxProperties) causes.push(cause.tooMany(path, size, maxProperties));
    if (minProperties !== undefined && size < minProperties) {
      causes.push(cause.invalid(path, size, `${path} in body should have at least ${minProperties} properties`));
    }
  }
  return causes;
}

const DATE_TIME =
  /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function textCauses(node: Node, value: string, path: string): Cause[] {
  const first = firstTextCause(node, value, path);
  const causes = first ? [first] : [];
  if (node.format === 'date-time' && !DATE_TIME.test(value)) {
    causes.push(cause.type(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`));
  }
  return causes;
}

/** Length and pattern: of these, only one is told. */
function firstTextCause({ bounds, pattern }: Node, value: string, path: string): Cause | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = bounds;
  if (value.length > maxLength && lengthOf(value) > maxLength) return cause.tooLong(path, maxLength);
  if (minLength > 0 && lengthOf(value) < minLength) {
    return cause.invalid(path, value, `${path} in body should be at least ${minLength} chars long`);
  }
  if (!pattern || pattern.test(value)) return undefined;
  return cause.invalid(path, value, `${path} in body should match '${pattern.source}'`);
}

/** Characters as the apiserver counts them, which is not by halves of surrogate pairs. */
function lengthOf(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

function numberCauses(node: Node, value: number, path: string): Cause[] {
  const { minimum, maximum, multipleOf } = node.bounds;
  const causes: Cause[] = [];
  if (minimum !== undefined && (node.exclusiveMinimum ? value <= minimum : value < minimum)) {
    const how = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    causes.push(cause.invalid(path, value, `${path} in body should be ${how} ${minimum}`));
  }
  if (maximum !== undefined && (node.exclusiveMaximum ? value >= maximum : value > maximum)) {
    const how = node.exclusiveMaximum ? 'less than' : 'less than or equal to';
    causes.push(cause.invalid(path, value, `${path} in body should be ${how} ${maximum}`));
  }
  if (multipleOf !== undefined && value % multipleOf !== 0) {
    causes.push(cause.invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`));
  }
  return causes;
}

function memberCauses(node: Node, value: Members, old: unknown, path: string): Cause[] {
  const causes: Cause[] = [];
  const before = isMembers(old) ? old : undefined;
  for (const name of node.required) {
    if (value[name] === undefined) causes.push(cause.required(join(path, name)));
  }
  for (const name in value) {
    const member = memberNode(node, name);
    if (member) causes.push(...valueCauses(member, value[name], before?.[name], join(path, name)));
  }
  return causes;
}

function itemCauses(node: Node, value: readonly unknown[], old: unknown, path: string): Cause[] {
  const { items } = node;
  if (!items) return [];
  const before = correlated(node, old);
  return value.flatMap((item, index) => valueCauses(items, item, before(item), `${path}[${index}]`));
}

/** What an item of a list was before, where that can be told: in lists whose items have keys. */
function correlated(node: Node, old: unknown): (item: unknown) => unknown {
  if (node.listType !== 'map' || !Array.isArray(old)) return () => undefined;
  const byKey = new Map(old.map((item: unknown) => [keyOf(node, item), item]));
  return (item) => byKey.get(keyOf(node, item));
}

function keyOf(node: Node, item: unknown): string {
  return JSON.stringify(node.listKeys.map((key) => (isMembers(item) ? item[key] : undefined)));
}

/** Items that are there twice, in lists that are sets or have keys. */
export function duplicateCauses(node: Node, value: unknown, path: string): Cause[] {
  if (!node.hasKeys) return [];
  if (Array.isArray(value)) {
    const causes = value.flatMap((item, index) =>
      node.items ? duplicateCauses(node.items, item, `${path}[${index}]`) : [],
    );
    if (node.listType === 'atomic') return causes;
    const wrong = node.listType === 'map' ? value.findIndex((item) => item !== null && !isMembers(item)) : -1;
    if (wrong >= 0) {
      const problem = 'must be an object for an array of list-type map';
      return [...causes, cause.invalid(`${path}[${wrong}]`, value[wrong], problem)];
    }
    const times = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const key = node.listType === 'set' ? JSON.stringify(item) : keyOf(node, item);
      const before = times.get(key) ?? 0;
      // Said of the second one only, however many there are.
      if (before === 1) causes.push(duplicate(node, item, `${path}[${index}]`));
      times.set(key, before + 1);
    }
    return causes;
  }
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const member = memberNode(node, name);
    return member ? duplicateCauses(member, one, join(path, name, node)) : [];
  });
}

function duplicate(node: Node, item: unknown, path: string): Cause {
  return cause.duplicate(path, node.listType === 'set' ? item : keysOf(node, item));
}

function keysOf(node: Node, item: unknown): Members {
  return Object.fromEntries(node.listKeys.map((key) => [key, isMembers(item) ? item[key] : undefined]));
}

/** What rules say against a value; `old` as with {@link valueCauses}. */
export function ruleCauses(node: Node, value: unknown, old: unknown, path: string): Cause[] {
  if (!node.hasRules || (old !== undefined && isEqual(value, old))) return [];
  const causes: Cause[] = [];
  if (node.rules.length > 0 && value !== null) {
    const self = celValue(node, value);
    const oldSelf = old === undefined || old === null ? undefined : celValue(node, old);
    for (const rule of node.rules) {
      if (rule.isTransition && oldSelf === undefined) continue;
      const why = rule.check(self, oldSelf);
      if (why !== undefined) causes.push(refusal(rule.reason, `${path}${rule.fieldPath}`, node.type ?? 'object', why));
    }
  }
  if (Array.isArray(value) && node.items) {
    const { items } = node;
    const before = correlated(node, old);
    for (const [index, item] of value.entries())
      causes.push(...ruleCauses(items, item, before(item), `${path}[${index}]`));
  } else if (isMembers(value)) {
    const before = isMembers(old) ? old : undefined;
    for (const name in value) {
      const member = memberNode(node, name);
      if (member) causes.push(...ruleCauses(member, value[name], before?.[name], join(path, name, node)));
    }
  }
  return causes;
}

function refusal(reason: string, field: string, type: string, why: string): Cause {
  switch (reason) {
    case 'FieldValueForbidden':
      return cause.forbidden(field, why);
    case 'FieldValueRequired':
      return cause.required(field, why);
    case 'FieldValueDuplicate':
      return cause.duplicate(field, type);
    default:
      return cause.invalid(field, type, why);
  }
}

/** The path of a member; entries of a map are in brackets. */
function join(path: string, name: string, node?: Node): string {
  if (node && !node.properties?.has(name) && node.additional) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
