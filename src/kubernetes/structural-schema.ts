/** A node of an OpenAPI v3 schema as CustomResourceDefinitions take it. */
export type Schema = Record<string, unknown>;

export interface StructuralOptions {
  /** Ask for a description of every field, and for bounds: without them CEL's cost budget is soon spent. */
  strict: boolean;
}

/** Taken over as they are. Whatever is in none of these lists is dropped, because the apiserver would refuse it. */
const KEPT = [
  'type',
  'description',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
] as const;

/** What may stand in an `allOf` of a structural schema: checks of the value, no shape. */
const VALUE_CHECKS = new Set(['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', 'type', 'format']);

/** The formats the apiserver knows by these names and means the same by. */
const FORMATS = new Set(['date-time', 'date', 'email', 'ipv4', 'ipv6', 'uri', 'uuid', 'int32', 'int64', 'byte']);
const BOUNDED_FORMATS = new Set(['date-time', 'date', 'ipv4', 'ipv6', 'uuid']);

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const INT_OR_STRING = 'x-kubernetes-int-or-string';

/**
 * What a JSON schema (OpenAPI 3.0 dialect) says, as a structural schema. `path` names the field in errors. Throws
 * `TypeError` where it says what a structural schema cannot.
 */
export function toStructuralSchema(input: unknown, path: string, options: StructuralOptions): Schema {
  const node = merged(input, path);
  if (node.$ref !== undefined) throw problem(path, 'is a reference', 'remove the id from .meta()');
  const extensions = Object.fromEntries(Object.entries(node).filter(([name]) => name.startsWith('x-kubernetes-')));
  const schema: Schema = {};
  for (const name of KEPT) if (node[name] !== undefined) schema[name] = node[name];
  if (options.strict && node.default !== undefined) {
    throw problem(path, 'has a default', 'the operator must not write into a spec; apply the default when reading');
  }
  Object.assign(schema, textChecks(node, path), children(node, path, options), extensions);
  dropSafeIntegerBounds(schema);
  if (schema.type === undefined && schema[INT_OR_STRING] !== true) schema[PRESERVE] = true;
  if (options.strict) requireBounds(schema, path);
  return schema;
}

/** Unions are the shapes a structural schema cannot have, except where they come down to one. */
function merged(input: unknown, path: string): Schema {
  if (!isSchema(input)) throw problem(path, 'is not a schema', 'see what z.toJSONSchema makes of it');
  const { anyOf, oneOf, ...rest } = input;
  const branches = anyOf ?? oneOf;
  if (branches === undefined || rest[INT_OR_STRING] === true || rest[PRESERVE] === true) return rest;
  const schemas = Array.isArray(branches) ? branches.filter(isSchema) : [];
  const [only] = schemas;
  if (schemas.length === 1 && only) return { ...only, ...rest };
  const enums = schemas.map((schema) => schema.enum);
  const types = new Set(schemas.map((schema) => schema.type));
  if (enums.every((values) => Array.isArray(values)) && types.size === 1) {
    return { type: schemas[0]?.type, enum: [...new Set(enums.flat())], ...rest };
  }
  throw problem(path, 'is a union', 'make one object of optional fields and add a rule such as exactlyOneOf');
}

function textChecks(node: Schema, path: string): Schema {
  const known = typeof node.format === 'string' && FORMATS.has(node.format) ? { format: node.format } : {};
  const checks: Schema = { ...known };
  if (typeof node.pattern === 'string') {
    // For a format it knows the apiserver needs no pattern; any other must be one that RE2 can run.
    if (isRe2(node.pattern)) checks.pattern = node.pattern;
    else if (known.format === undefined) {
      throw problem(
        path,
        `has a pattern RE2 cannot run: ${node.pattern}`,
        'write it without look-around, or use a rule',
      );
    }
  }
  if (Array.isArray(node.allOf)) {
    checks.allOf = node.allOf.map((branch: unknown) => {
      if (!isSchema(branch) || !Object.keys(branch).every((name) => VALUE_CHECKS.has(name))) {
        throw problem(path, 'is an intersection of shapes', 'use .extend() instead');
      }
      const { type: _, format: __, ...check } = branch;
      if (typeof check.pattern === 'string' && !isRe2(check.pattern)) {
        throw problem(path, `has a pattern RE2 cannot run: ${check.pattern}`, 'write it without look-around');
      }
      return check;
    });
  }
  return checks;
}

function children(node: Schema, path: string, options: StructuralOptions): Schema {
  const { properties, additionalProperties, items } = node;
  const made: Schema = {};
  if (isSchema(properties) && Object.keys(properties).length > 0) {
    // Never beside additionalProperties: the apiserver prunes what is not listed anyway.
    made.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const schema = toStructuralSchema(property, `${path}.${name}`, options);
        if (options.strict && typeof schema.description !== 'string') {
          throw problem(`${path}.${name}`, 'has no description', 'add .describe()');
        }
        return [name, schema];
      }),
    );
  } else if (isSchema(additionalProperties)) {
    if (Object.keys(additionalProperties).length === 0) made[PRESERVE] = true;
    else made.additionalProperties = toStructuralSchema(additionalProperties, `${path}.*`, options);
  }
  if (node.type === 'array') made.items = toStructuralSchema(items ?? {}, `${path}[]`, options);
  return made;
}

/** zod bounds every integer by what JavaScript can count exactly; nobody asked for that. */
function dropSafeIntegerBounds(schema: Schema): void {
  if (schema.type !== 'integer') return;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function requireBounds(schema: Schema, path: string): void {
  if (schema[PRESERVE] === true) return;
  const bounded =
    schema.enum !== undefined || (typeof schema.format === 'string' && BOUNDED_FORMATS.has(schema.format));
  if (schema.type === 'string' && schema.maxLength === undefined && !bounded) {
    throw problem(path, 'is a string of any length', 'add .max()');
  }
  if (schema.type === 'array' && schema.maxItems === undefined) {
    throw problem(path, 'is a list of any length', 'add .max()');
  }
  if (schema.additionalProperties !== undefined && schema.maxProperties === undefined) {
    throw problem(path, 'is a map of any size', 'add .meta({ maxProperties: … })');
  }
}

/** RE2, which the apiserver uses, has neither look-around nor back-references. */
function isRe2(pattern: string): boolean {
  return !/\(\?(?:[=!]|<[=!])|\\[1-9]/.test(pattern);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(path: string, what: string, advice: string): TypeError {
  return new TypeError(`${path} ${what}: ${advice}`);
}
