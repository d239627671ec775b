import * as z from 'zod';
import type { ValidationRule } from './cel.ts';
import type { Resource } from './resource.ts';
import { type Schema, toStructuralSchema } from './structural-schema.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  jsonPath: string;
  description?: string;
  /** Above 0: shown with `-o wide` only. */
  priority?: number;
  format?: string;
}

/** A kind, as its CustomResourceDefinition is made from. */
export interface KindDefinition {
  kind: string;
  plural: string;
  singular: string;
  shortNames: string[];
  group: string;
  version: string;
  scope: 'Namespaced' | 'Cluster';
  categories: string[];
  description: string;
  /** Every field described with `.describe()`, every string, list and map bounded. */
  spec: z.ZodType;
  /** With `observedGeneration`, among others. */
  status: z.ZodType;
  /** Fields of the status that only the version before writes, which has to find them in the CRD as long as it may run. */
  formerStatus?: z.ZodType;
  /** CEL, with `self` the spec, or the whole object for those `at` the root. */
  rules?: (ValidationRule & { at?: 'spec' | 'root' })[];
  columns: PrinterColumn[];
  /**
   * Paths of scalar fields that `--field-selector` takes, such as `.spec.iccid`; at most eight. Kubernetes 1.31 and newer knows
   * them; 1.30 leaves them out.
   */
  selectable?: readonly string[];
}

/** Where the objects of a kind live in the API. */
export function resourceOf({ group, version, plural, kind, scope }: KindDefinition): Resource {
  return { group, version, plural, kind, namespaced: scope === 'Namespaced' };
}

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; labels: Record<string, string> };
  spec: Record<string, unknown>;
}

/**
 * The CustomResourceDefinition of a kind, with the status subresource. Throws `TypeError` naming the field where a
 * schema says what a CRD cannot, and for a spec field without description or bounds.
 */
export function toCustomResourceDefinition(definition: KindDefinition): CustomResourceDefinition {
  const { kind, plural, group } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'app.kubernetes.io/name': 'edgeline' } },
    spec: {
      group,
      scope: definition.scope,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: definition.singular,
        ...(definition.shortNames.length > 0 ? { shortNames: definition.shortNames } : {}),
        ...(definition.categories.length > 0 ? { categories: definition.categories } : {}),
      },
      versions: [
        {
          name: definition.version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: definition.columns,
          ...(definition.selectable && { selectableFields: definition.selectable.map((jsonPath) => ({ jsonPath })) }),
          schema: { openAPIV3Schema: rootSchema(definition) },
        },
      ],
    },
  };
}

/**
 * A status is there from the first moment, and older than any generation: kstatus (Flux, kpt) takes an object without one
 * for finished. The spec has no default, so that what is read is what was written.
 */
const unseen = { observedGeneration: -1 };

/**
 * With this, `managedFields` names the status, and not each of its fields, which would take more room in etcd than the status
 * itself. It makes a difference to server-side apply alone: who forces one field of a status takes all others away, which
 * the operator puts back.
 */
const asOneField = { 'x-kubernetes-map-type': 'atomic' };

function rootSchema(definition: KindDefinition): Schema {
  const spec = specSchemaOf(definition);
  const status = statusSchemaOf(definition);
  const rules = definition.rules ?? [];
  return {
    type: 'object',
    description: definition.description,
    ...(spec.required === undefined ? {} : { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string', description: 'The version of the schema this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: { type: 'object' },
      spec: withRules(
        { description: 'What is wanted.', ...spec },
        rules.filter((rule) => rule.at !== 'root'),
      ),
      status: {
        description: 'What was observed and done; written by the operator.',
        ...status,
        properties: { ...propertiesOf(status), ...propertiesOf(formerStatusOf(definition)) },
        ...asOneField,
        default: unseen,
      },
    },
    ...withRules(
      {},
      rules.filter((rule) => rule.at === 'root'),
    ),
  };
}

/** Made once: it takes milliseconds, and several ask for the same. */
const made = new WeakMap<z.ZodType, Schema>();

/** The schema of the kind's spec; not to be changed. */
export function specSchemaOf({ spec, kind }: KindDefinition): Schema {
  return once(spec, () => toStructuralSchema(jsonSchemaOf(spec), `${kind} spec`, { strict: true }));
}

/** The schema of the kind's status; not to be changed. */
export function statusSchemaOf({ status, kind }: KindDefinition): Schema {
  return once(status, () => toStructuralSchema(jsonSchemaOf(status), `${kind} status`, { strict: false }));
}

function formerStatusOf({ formerStatus, kind }: KindDefinition): Schema {
  if (!formerStatus) return {};
  return toStructuralSchema(jsonSchemaOf(formerStatus), `${kind} former status`, { strict: false });
}

const propertiesOf = ({ properties }: Schema): object => ({ ...Object(properties) });

function once(type: z.ZodType, make: () => Schema): Schema {
  const known = made.get(type) ?? make();
  made.set(type, known);
  return known;
}

function jsonSchemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', cycles: 'throw', unrepresentable: 'throw' });
}

function withRules(schema: Schema, rules: (ValidationRule & { at?: 'spec' | 'root' })[]): Schema {
  const own = schema['x-kubernetes-validations'];
  const all = [...(Array.isArray(own) ? own : []), ...rules.map(withoutPlace)];
  return all.length === 0 ? schema : { ...schema, 'x-kubernetes-validations': all };
}

function withoutPlace(rule: ValidationRule & { at?: 'spec' | 'root' }): ValidationRule {
  const { at, ...rest } = rule;
  return at === undefined ? rule : rest;
}
