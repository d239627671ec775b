import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

type Schema = Readonly<Record<string, unknown>>;

const openAPI = z.object({ definitions: z.record(z.string(), z.record(z.string(), z.unknown())) });
const kinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));

/** Where `kubeconform` finds what {@link writeSchemas} wrote. */
export const schemaLocation = (directory: string): string =>
  join(directory, '{{ .Group }}_{{ .ResourceAPIVersion }}_{{ .ResourceKind }}.json');

/**
 * Writes a JSON schema for every kind an apiserver has, strict: members that are not described are refused.
 *
 * @param document what the apiserver answers at `/openapi/v2`: its own kinds and those of its CRDs.
 */
export function writeSchemas(document: unknown, directory: string): void {
  const { definitions } = openAPI.parse(document);
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, strictly(schema)] as const),
  );
  mkdirSync(directory, { recursive: true });
  for (const [name, schema] of Object.entries(definitions)) {
    for (const { group, version, kind } of kinds.parse(schema['x-kubernetes-group-version-kind'] ?? [])) {
      const file = `${group === '' ? version : group}_${version}_${kind.toLowerCase()}.json`;
      const reached = reachable(strict, name);
      writeFileSync(join(directory, file), JSON.stringify({ $ref: `#/definitions/${name}`, definitions: reached }));
    }
  }
}

/** The definitions that one refers to, itself among them. */
function reachable(definitions: Readonly<Record<string, unknown>>, start: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in found) continue;
    found[name] = definitions[name];
    const text = JSON.stringify(definitions[name]);
    for (const [, next = ''] of text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) waiting.push(next);
  }
  return found;
}

/** A schema of OpenAPI as one of JSON Schema, which refuses members that are not described. */
function strictly(schema: Schema): Schema {
  if (schema['x-kubernetes-int-or-string'] === true || schema['format'] === 'int-or-string') {
    return { type: ['integer', 'string'] };
  }
  // Formats are OpenAPI's own, such as int32 and byte.
  const { properties, items, additionalProperties, format: _, ...rest } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...rest,
    ...(isSchema(items) && { items: strictly(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: strictly(additionalProperties) }),
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inside]) => [name, isSchema(inside) ? strictly(inside) : inside]),
      ),
      ...(!isOpen && additionalProperties === undefined && { additionalProperties: false }),
    }),
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
