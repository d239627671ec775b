import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';

const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const root = z.object({
  versions: z.array(z.object({ schema: z.object({ openAPIV3Schema: schema }) })).length(1),
});
const before = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fields-before.json'), 'utf8')));

/** All fields below a schema, as `.status.applied.carriers[].name`. */
function fieldsOf(node: unknown, path: string): string[] {
  const { properties = {}, additionalProperties, items } = schema.parse(node);
  const members: [string, unknown][] = [
    ...Object.entries(properties).map(([name, member]): [string, unknown] => [`${path}.${name}`, member]),
    ...(additionalProperties === undefined ? [] : [[`${path}.*`, additionalProperties] as [string, unknown]]),
  ];
  return [
    ...members.flatMap(([at, member]) => [at, ...fieldsOf(member, at)]),
    ...(items === undefined ? [] : fieldsOf(items, `${path}[]`)),
  ];
}

describe('the CRD of', () => {
  // Of a kind that is new the version before knows nothing.
  it.each(Object.entries(before))(
    '%s has all that an operator of the version before writes and reads, which stops where one is missing',
    (plural, expected) => {
      const definition = kindDefinitions.find((one) => one.plural === plural);
      if (!definition) throw new Error(`there is no kind with the plural ${plural}`);
      const [version] = root.parse(toCustomResourceDefinition(definition).spec).versions;
      const { properties = {} } = version?.schema.openAPIV3Schema ?? {};
      const fields = new Set(['spec', 'status'].flatMap((part) => fieldsOf(properties[part], part)));
      expect(expected.length).toBeGreaterThan(10);
      expect(expected.filter((field) => !fields.has(field))).toEqual([]);
    },
  );
});
