import type { CustomResourceDefinition } from '../../kubernetes/crd.ts';
import { isMembers, type Members, membersOf } from './json.ts';

/** The texts of `/openapi/v3` and of what it leads to, by path without query. */
export function openapiOf(definitions: readonly CustomResourceDefinition[]): ReadonlyMap<string, string> {
  const known = texts.get(definitions);
  if (known) return known;
  const documents = new Map<string, { schemas: Members }>();
  for (const { spec } of definitions) {
    const version = membersOf(Array.isArray(spec.versions) ? spec.versions[0] : undefined);
    const group = String(spec.group);
    const kind = String(membersOf(spec.names).kind);
    const place = `apis/${group}/${String(version.name)}`;
    const document = documents.get(place) ?? { schemas: {} };
    documents.set(place, document);
    const name = [...group.split('.').toReversed(), version.name, kind].join('.');
    document.schemas[name] = {
      ...membersOf(shapeOf(membersOf(version.schema).openAPIV3Schema)),
      'x-kubernetes-group-version-kind': [{ group, kind, version: version.name }],
    };
  }
  const made = new Map<string, string>();
  const paths: Members = {};
  for (const [place, components] of documents) {
    const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Kubernetes' }, paths: {}, components });
    made.set(`/openapi/v3/${place}`, text);
    paths[place] = { serverRelativeURL: `/openapi/v3/${place}?hash=${digestOf(text)}` };
  }
  made.set('/openapi/v3', JSON.stringify({ paths }));
  texts.set(definitions, made);
  return made;
}

const texts = new WeakMap<readonly CustomResourceDefinition[], ReadonlyMap<string, string>>();

/** What a schema says about the fields there are; descriptions, which are most of it, help nobody here. */
function shapeOf(schema: unknown): unknown {
  if (!isMembers(schema)) return schema;
  const shape: Members = {};
  for (const name of ['type', 'x-kubernetes-preserve-unknown-fields']) {
    if (schema[name] !== undefined) shape[name] = schema[name];
  }
  if (isMembers(schema.properties)) {
    shape.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, shapeOf(one)]));
  }
  for (const name of ['items', 'additionalProperties']) {
    if (schema[name] !== undefined) shape[name] = shapeOf(schema[name]);
  }
  return shape;
}

/** FNV-1a: it has to differ where the text does, and nothing more. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16);
}
