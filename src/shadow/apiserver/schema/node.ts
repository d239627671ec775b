import { isMembers, type Members } from '../json.ts';
import { compileRule, type Rule } from './rules.ts';

/** A node of a structural schema, read once. */
export interface Node {
  readonly type: string | undefined;
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, Node> | undefined;
  readonly required: readonly string[];
  readonly additional: Node | undefined;
  readonly items: Node | undefined;
  /** Unknown fields are kept. */
  readonly preserves: boolean;
  readonly default: unknown;
  readonly enum: readonly unknown[] | undefined;
  readonly format: string | undefined;
  readonly pattern: RegExp | undefined;
  /** `minLength`, `maximum` and so on, by name. */
  readonly bounds: Readonly<Record<string, number>>;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  /** Checks of the value besides its own. */
  readonly allOf: readonly Node[];
  readonly listType: 'atomic' | 'set' | 'map';
  readonly listKeys: readonly string[];
  readonly rules: readonly Rule[];
  /** Whether there is one here or below. */
  readonly hasDefaults: boolean;
  readonly hasRules: boolean;
  readonly hasIntegers: boolean;
  /** Whether there are lists that are sets or have keys. */
  readonly hasKeys: boolean;
}

const BOUNDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
];

/** Reads a structural schema. Throws for a pattern or a rule that cannot be read. */
export function compileNode(schema: Members): Node {
  const properties = isMembers(schema.properties)
    ? new Map(
        Object.entries(schema.properties).flatMap(([name, one]) => (isMembers(one) ? [[name, compileNode(one)]] : [])),
      )
    : undefined;
  const additional = isMembers(schema.additionalProperties) ? compileNode(schema.additionalProperties) : undefined;
  const items = isMembers(schema.items) ? compileNode(schema.items) : undefined;
  const rules = listOf(schema['x-kubernetes-validations']).filter(isMembers).map(compileRule);
  const below = [...(properties?.values() ?? []), additional, items].filter((node) => node !== undefined);
  const type = typeof schema.type === 'string' ? schema.type : undefined;
  const listType = schema['x-kubernetes-list-type'];
  return {
    type,
    nullable: schema.nullable === true,
    properties,
    required: listOf(schema.required).filter((one) => typeof one === 'string'),
    additional,
    items,
    preserves: schema['x-kubernetes-preserve-unknown-fields'] === true,
    default: schema.default,
    enum: Array.isArray(schema.enum) ? schema.enum : undefined,
    format: typeof schema.format === 'string' ? schema.format : undefined,
    pattern: typeof schema.pattern === 'string' ? new RegExp(schema.pattern) : undefined,
    bounds: Object.fromEntries(
      BOUNDS.flatMap((name) => {
        const bound = schema[name];
        return typeof bound === 'number' ? [[name, bound]] : [];
      }),
    ),
    exclusiveMinimum: schema.exclusiveMinimum === true,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    allOf: listOf(schema.allOf).filter(isMembers).map(compileNode),
    listType: listType === 'set' || listType === 'map' ? listType : 'atomic',
    listKeys: listOf(schema['x-kubernetes-list-map-keys']).filter((one) => typeof one === 'string'),
    rules,
    hasDefaults: schema.default !== undefined || below.some((node) => node.hasDefaults),
    hasRules: rules.length > 0 || below.some((node) => node.hasRules),
    hasKeys: listType === 'set' || listType === 'map' || below.some((node) => node.hasKeys),
    hasIntegers: type === 'integer' || below.some((node) => node.hasIntegers),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A schema that takes everything. */
export const anything = compileNode({ 'x-kubernetes-preserve-unknown-fields': true });

/** The schema of the member of that name; undefined where the member is unknown. */
export function memberNode(node: Node, name: string): Node | undefined {
  return node.properties?.get(name) ?? node.additional;
}
