import type { CustomResourceDefinition } from '../../../kubernetes/crd.ts';
import { isEqual, isMembers, type Members, membersOf } from '../json.ts';
import type { StoredObject } from '../objects.ts';
import { prune, withDefaults } from '../schema/coerce.ts';
import { compileNode, type Node } from '../schema/node.ts';
import { duplicateCauses, ruleCauses, valueCauses } from '../schema/validate.ts';
import { type Cause, cause } from '../status.ts';
import { contentOf, type Kind } from './kind.ts';

/** With one of these, rules are not asked. */
const BLOCKING = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** The kinds of definitions never change, and reading one takes milliseconds: a life is shorter than that. */
const known = new WeakMap<CustomResourceDefinition, Kind>();

/** What a CustomResourceDefinition defines. Of its versions the first counts. Throws for one that cannot be read. */
export function customKind(definition: CustomResourceDefinition): Kind {
  const made = known.get(definition) ?? compile(definition);
  known.set(definition, made);
  return made;
}

function compile(definition: CustomResourceDefinition): Kind {
  const { group, names, scope, versions } = definition.spec;
  const version = membersOf(Array.isArray(versions) ? versions[0] : undefined);
  const root = compileNode(membersOf(membersOf(version.schema).openAPIV3Schema));
  const hasStatus = isMembers(membersOf(version.subresources).status);
  const { plural, kind } = membersOf(names);
  const selectable = (Array.isArray(version.selectableFields) ? version.selectableFields : []).map((field) =>
    String(membersOf(field).jsonPath).slice(1),
  );
  return {
    group: String(group),
    version: String(version.name),
    apiVersion: `${String(group)}/${String(version.name)}`,
    storedGroup: String(group),
    prefix: `/registry/${String(group)}/${String(plural)}/`,
    plural: String(plural),
    kind: String(kind),
    namespaced: scope === 'Namespaced',
    hasStatus,
    hasTypedItems: true,
    isCreatedBare: hasStatus && root.properties?.get('status')?.default !== undefined,
    nameForm: 'subdomain',
    wantsQualifiedFinalizers: false,
    takesUnconditionalUpdates: false,
    createsOnUpdate: false,
    schema: root,

    decode(body, stored) {
      const content = contentOf(body);
      for (const name in content) {
        const node = root.properties?.get(name);
        if (node && (!stored || content[name] !== stored[name]))
          content[name] = withDefaults(node, prune(node, content[name]));
      }
      return withRootDefaults(root, content);
    },

    prepareCreate(draft) {
      if (hasStatus) draft.content = withRootDefaults(root, without(draft.content, 'status'));
      draft.metadata.generation = 1;
    },

    prepareUpdate(draft, old, subresource) {
      if (subresource === 'status') {
        const { status } = draft.content;
        draft.content = withStatus(contentOf(old), status);
        // All else stays as it was, and no UID is looked at that differs.
        draft.metadata = { ...old.metadata, resourceVersion: draft.metadata.resourceVersion };
        return;
      }
      if (hasStatus) draft.content = withStatus(draft.content, old.status);
      const generation = old.metadata.generation ?? 1;
      draft.metadata.generation = isEqual(contentOf(old), draft.content) ? generation : generation + 1;
    },

    causes: (draft, old, others) => contentCauses(root, draft.content, old, others),

    fieldLabels: (object) => Object.fromEntries(selectable.map((path) => [path, fieldText(object, path)])),
  };
}

/** A scalar of an object, as text; empty where there is none. */
function fieldText(object: StoredObject, path: string): string {
  let value: unknown = object;
  for (const name of path.split('.')) value = membersOf(value)[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Defaults of the root's own members, and those gone that are null and may not be. What is in the members is right already. */
function withRootDefaults(root: Node, content: Members): Members {
  const made: Members = {};
  for (const [name, node] of root.properties ?? []) {
    const value = content[name] ?? node.default;
    if (value !== undefined) made[name] = value;
    else if (content[name] === null && node.nullable) made[name] = null;
  }
  return made;
}

function without(content: Members, name: string): Members {
  const { [name]: _, ...rest } = content;
  return rest;
}

function withStatus(content: Members, status: unknown): Members {
  return status === undefined ? without(content, 'status') : { ...content, status };
}

function contentCauses(root: Node, content: Members, old: StoredObject | undefined, others: readonly Cause[]): Cause[] {
  const before = old && contentOf(old);
  const causes = valueCauses(root, content, before, '');
  const duplicates = duplicateCauses(root, content, '');
  // Where there were some already, nothing more is said of them.
  if (duplicates.length > 0 && (!before || duplicateCauses(root, before, '').length === 0)) causes.push(...duplicates);
  if ([...others, ...causes].some(({ reason }) => BLOCKING.has(reason))) {
    return [...causes, cause.invalid('<nil>', null, NOT_CHECKED)];
  }
  return [...causes, ...ruleCauses(root, content, before, '')];
}
