import { describe, expect, it } from 'vitest';
import { specSchemaOf, statusSchemaOf } from '../../../src/kubernetes/crd.ts';
import { droppedFields } from '../../../src/kubernetes/served-fields.ts';
import type { Schema } from '../../../src/kubernetes/structural-schema.ts';
import { missingFields } from '../../../src/operator/served-definitions.ts';
import { allDefinitions } from '../../support/definitions.ts';

const text = { type: 'string' };
const object = (properties: Schema): Schema => ({ type: 'object', properties });
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const map = (additionalProperties: Schema): Schema => ({ type: 'object', additionalProperties });
const list = (items: Schema): Schema => ({ type: 'array', items });

describe('an apiserver drops', () => {
  it.each<[string, Schema, unknown, string[]]>([
    ['nothing it knows', object({ a: text }), object({ a: text, b: text }), []],
    ['a field it does not know', object({ a: text, b: text }), object({ a: text }), ['status.b']],
    ['the whole of what it does not know', object({ a: object({ b: text }) }), object({}), ['status.a']],
    ['a field far inside', object({ a: list(object({ b: text })) }), object({ a: list(object({})) }), ['status.a[].b']],
    ['nothing where it keeps what it does not know', object({ a: text }), free, []],
    ['members that were free', object({ a: free }), object({ a: object({ b: text }) }), ['status.a']],
    ['nothing that a map has room for', object({ a: text }), map(text), []],
    ['members of a map that became an object', map(text), object({ a: text }), ['status.*']],
    ['fields of what a map holds', map(object({ a: text })), map(object({})), ['status.*.a']],
    ['everything without a schema', object({ a: text }), undefined, ['status']],
  ])('%s', (_what, wanted, served, expected) => {
    expect(droppedFields(wanted, served, 'status')).toEqual(expected);
  });
});

it('the CRDs of this version lack nothing that this version needs, and a missing kind is missing whole', () => {
  const schemas = Object.fromEntries(
    allDefinitions.map((definition) => {
      const { group, version, kind } = definition;
      const published = {
        ...object({ spec: specSchemaOf(definition), status: statusSchemaOf(definition) }),
        'x-kubernetes-group-version-kind': [{ group, version, kind }],
      };
      return [kind, published];
    }),
  );
  expect(missingFields(allDefinitions, { components: { schemas } })).toEqual([]);
  const { Sim: _, ...others } = schemas;
  expect(missingFields(allDefinitions, { components: { schemas: others } })).toEqual([
    'spec of sims',
    'status of sims',
  ]);
});
