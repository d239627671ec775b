import { type KindDefinition, statusSchemaOf } from './crd.ts';
import type { Schema } from './structural-schema.ts';

/** Makes a status of the kind one that the apiserver takes. Pure; the same status gives the same again. */
export type Fit = <S extends object>(status: S) => S;

/** What etcd takes of one object is 1.5 MiB, and there is a spec, too. Bytes. */
const LARGEST_BYTES = 1024 * 1024;
/** A text that nobody would read to its end. Characters. */
const LONGEST_CHARACTERS = 4096;
/** Where the whole is too large, limits are halved down to this part of what the schema allows. */
const SMALLEST_SHARE = 1 / 256;

const fits = new WeakMap<KindDefinition, Fit>();

/**
 * How statuses of a kind are made to fit into its CustomResourceDefinition: texts are cut, with an ellipsis, lists to as
 * many as they may hold, and numbers clamped. Without that one long text of the service would keep all else from being
 * told. Only what is shown may be cut: fields in `kept`, which work is decided by, and IDs stay as they are.
 */
export function fitOf(definition: KindDefinition, kept: readonly string[]): Fit {
  const known = fits.get(definition);
  if (known) return known;
  const schema = statusSchemaOf(definition);
  const all = new Set(kept);
  const fit: Fit = (status) => {
    for (let scale = 1; ; scale /= 2) {
      const made = members(status, (name) => (all.has(name) ? undefined : propertyOf(schema, name)), scale);
      if (scale < SMALLEST_SHARE || Buffer.byteLength(JSON.stringify(made)) <= LARGEST_BYTES) return made;
    }
  };
  fits.set(definition, fit);
  return fit;
}

/** The value as the schema allows it; undefined where no part of it can be kept. */
function fitted(schema: Schema, value: unknown, scale: number): unknown {
  if (typeof value === 'string') return text(schema, value, scale);
  if (typeof value === 'number') return number(schema, value);
  if (Array.isArray(value)) return list(schema, value, scale);
  if (typeof value === 'object' && value !== null) return map(schema, value, scale);
  return value;
}

function text(schema: Schema, value: string, scale: number): string | undefined {
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return undefined;
  // Half a time is none.
  if (schema.format === 'date-time') return Number.isNaN(Date.parse(value)) ? undefined : value;
  return short(value, scaled(Math.min(LONGEST_CHARACTERS, limitOf(schema.maxLength)), scale));
}

/** As many characters as the apiserver counts them, which is not as JavaScript does. */
function short(value: string, longest: number): string {
  if (value.length <= longest) return value;
  const characters = Array.from(value);
  return characters.length <= longest ? value : `${characters.slice(0, Math.max(0, longest - 1)).join('')}…`;
}

function number(schema: Schema, value: number): number | undefined {
  if (Number.isNaN(value)) return undefined;
  const isWhole = schema.type === 'integer';
  const most = Math.min(limitOf(schema.maximum), isWhole ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);
  const least = Math.max(
    typeof schema.minimum === 'number' ? schema.minimum : Number.NEGATIVE_INFINITY,
    isWhole ? Number.MIN_SAFE_INTEGER : -Number.MAX_VALUE,
  );
  const clamped = Math.min(most, Math.max(least, value));
  return isWhole ? Math.trunc(clamped) : clamped;
}

/** Of what is the same once cut, one is kept: a set or a map may not have two. */
function list(schema: Schema, values: readonly unknown[], scale: number): readonly unknown[] {
  const items = isSchema(schema.items) ? schema.items : {};
  const kind = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  const most = scaled(limitOf(schema.maxItems), scale);
  const seen = new Set<string>();
  const kept: unknown[] = [];
  for (const value of values) {
    const item = fitted(items, value, scale);
    if (item === undefined) continue;
    const isMap = kind === 'map' && Array.isArray(keys) && typeof item === 'object' && item !== null;
    if (isMap || kind === 'set') {
      const key = JSON.stringify(isMap ? keys.map((name) => Reflect.get(item, name) ?? null) : item);
      if (seen.has(key)) continue;
      seen.add(key);
    }
    if (kept.push(item) === most) break;
  }
  return kept.length === values.length && kept.every((item, index) => item === values[index]) ? values : kept;
}

function map(schema: Schema, value: object, scale: number): object | undefined {
  if (isSchema(schema.additionalProperties)) {
    const { additionalProperties: of } = schema;
    const most = scaled(limitOf(schema.maxProperties), scale);
    const made = members(value, () => of, scale);
    return Object.keys(made).length <= most ? made : Object.fromEntries(Object.entries(made).slice(0, most));
  }
  const fit = members(value, (name) => propertyOf(schema, name), scale);
  const required = Array.isArray(schema.required) ? schema.required : [];
  // What lost a member it must have can't be shown at all.
  return required.every((name: string) => name in fit || !(name in value)) ? fit : undefined;
}

/** The members, each as its schema allows; those without one as they are. The value itself where all fit. */
function members<S extends object>(value: S, schemaOf: (name: string) => Schema | undefined, scale: number): S {
  let made: S | undefined;
  for (const [name, member] of Object.entries(value)) {
    const isID = typeof member === 'string' && (name === 'id' || name.endsWith('ID'));
    const schema = isID ? undefined : schemaOf(name);
    if (schema === undefined || member === undefined) continue;
    const fit = fitted(schema, member, scale);
    if (fit === member) continue;
    made ??= { ...value };
    if (fit === undefined) Reflect.deleteProperty(made, name);
    else Reflect.set(made, name, fit);
  }
  return made ?? value;
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  const property = isSchema(properties) ? properties[name] : undefined;
  return isSchema(property) ? property : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Conditions and their like stay whole: a few items and some words always may. */
function scaled(limit: number, scale: number): number {
  return Math.min(limit, Math.max(16, Math.floor(limit * scale)));
}

function limitOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}
