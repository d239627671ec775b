import * as fc from 'fast-check';
import type { KindDefinition } from '../../src/kubernetes/crd.ts';
import { statusSchemaOf } from '../../src/kubernetes/crd.ts';
import type { Schema } from '../../src/kubernetes/structural-schema.ts';

/**
 * Statuses of a kind as a service and a tenant might bring them about: all as long, as many and as large as can be. Without
 * `applied` and `intended`, which have what the apiserver has taken in a spec.
 */
export function extremesOf(definition: KindDefinition): fc.Arbitrary<Record<string, unknown>> {
  return object(statusSchemaOf(definition)).map((status) =>
    Object.fromEntries(Object.entries(status).filter(([name]) => name !== 'applied' && name !== 'intended')),
  );
}

function any(schema: Schema, name: string): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return text(schema, name);
    case 'integer':
    case 'number':
      return fc.constantFrom(0, -1, 1.5, 1e300, -1e300, Number.MAX_SAFE_INTEGER, 2 ** 63);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc
        .tuple(any(isSchema(schema.items) ? schema.items : {}, name), fc.constantFrom(0, 1, 3))
        .map(([item, more]) => Array.from({ length: more === 3 ? many(schema) : more }, (_, at) => numbered(item, at)));
    default:
      if (isSchema(schema.additionalProperties)) {
        return any(schema.additionalProperties, name).map((value) =>
          Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key-${at}`, value])),
        );
      }
      return object(schema);
  }
}

/** More than the list may hold, but not so many that the machine is what is tested. */
function many({ maxItems }: Schema): number {
  return Math.min(600, (typeof maxItems === 'number' ? maxItems : 0) + 3);
}

function object(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, any(isSchema(property) ? property : {}, name)]),
    ),
    { requiredKeys: required },
  );
}

function text(schema: Schema, name: string): fc.Arbitrary<string> {
  if (Array.isArray(schema.enum)) return fc.constantFrom<string>(...schema.enum);
  if (schema.format === 'date-time') return fc.constant('2026-01-01T00:00:00Z');
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : 10;
  // What identifies is not cut: the service has short ones.
  if (/^id$|ID$/.test(name)) return fc.constant('1'.repeat(Math.min(most, 12)));
  return fc
    .tuple(fc.constantFrom('a', 'é', '🚚', '"', '\u0000', '\n'), fc.constantFrom(0, 1, most, most + 1, most * 2))
    .map(([character, length]) => character.repeat(Math.min(length, 70_000)));
}

/** Different from its neighbours where it can be. */
function numbered(item: unknown, at: number): unknown {
  if (typeof item === 'string') return `${at}${item}`;
  if (!isSchema(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, name === 'status' ? value : numberedText(value, at)]),
  );
}

function numberedText(value: unknown, at: number): unknown {
  return typeof value === 'string' && !/^\d{4}-/.test(value) ? `${at}${value}` : value;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
