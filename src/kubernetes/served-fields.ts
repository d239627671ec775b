import type { Schema } from './structural-schema.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

/**
 * The fields of `wanted` that an apiserver which serves `served` drops without a word from whatever is written or read, as
 * paths below `path`. Only what is there counts, not how it is checked. Both are structural schemas, undefined where there
 * is none. Pure.
 */
export function droppedFields(wanted: Schema, served: unknown, path: string): string[] {
  if (!isSchema(served)) return [path];
  if (served[PRESERVE] === true) return [];
  if (wanted[PRESERVE] === true) return [path];
  const dropped: string[] = [];
  if (isSchema(wanted.properties)) {
    for (const [name, property] of Object.entries(wanted.properties)) {
      const found = isSchema(served.properties) ? served.properties[name] : undefined;
      dropped.push(...of(property, found ?? served.additionalProperties, `${path}.${name}`));
    }
  }
  if (isSchema(wanted.additionalProperties)) {
    dropped.push(...of(wanted.additionalProperties, served.additionalProperties, `${path}.*`));
  }
  if (isSchema(wanted.items)) dropped.push(...of(wanted.items, served.items, `${path}[]`));
  return dropped;
}

function of(wanted: unknown, served: unknown, path: string): string[] {
  return isSchema(wanted) ? droppedFields(wanted, served, path) : [];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
