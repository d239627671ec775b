import { isEqual, type Members, membersOf } from '../json.ts';
import { anything, compileNode } from '../schema/node.ts';
import { decodeFields, type Shapes, schemaOf } from '../shapes.ts';
import { type Cause, cause } from '../status.ts';
import type { Kind } from './kind.ts';

/** What most kinds that are built in have in common. */
function builtIn(own: Pick<Kind, 'group' | 'plural' | 'kind' | 'decode'> & Partial<Kind>): Kind {
  return {
    version: 'v1',
    apiVersion: own.group === '' ? 'v1' : `${own.group}/v1`,
    storedGroup: own.group,
    prefix: `/registry/${own.plural}/`,
    namespaced: true,
    hasStatus: false,
    hasTypedItems: false,
    isCreatedBare: false,
    nameForm: 'subdomain',
    wantsQualifiedFinalizers: true,
    takesUnconditionalUpdates: true,
    createsOnUpdate: false,
    schema: anything,
    prepareCreate() {},
    prepareUpdate() {},
    causes: () => [],
    fieldLabels: () => ({}),
    ...own,
  };
}

const secretShapes: Shapes = {
  immutable: 'boolean pointer',
  data: 'map of bytes',
  stringData: 'map of texts',
  type: 'text',
};

/** Of all values of a Secret together. Bytes. */
const SECRET_LIMIT = 1024 * 1024;
const DATA_KEY = /^[-._a-zA-Z0-9]+$/;
const IMMUTABLE_SECRET = 'field is immutable when `immutable` is set';

export const secrets: Kind = builtIn({
  group: '',
  plural: 'secrets',
  kind: 'Secret',
  schema: compileNode(schemaOf(secretShapes)),
  decode(body) {
    const { stringData, ...fields } = decodeFields(secretShapes, body, 'Secret');
    if (stringData === undefined) return fields;
    const data = { ...membersOf(fields.data) };
    for (const [key, text] of Object.entries(membersOf(stringData)))
      data[key] = Buffer.from(String(text)).toString('base64');
    return { ...fields, data };
  },
  prepareCreate(draft) {
    draft.content.type ??= 'Opaque';
  },
  prepareUpdate(draft, old) {
    draft.content.type ??= old.type;
  },
  causes({ content }, old) {
    const data = membersOf(content.data);
    const causes: Cause[] = [];
    let size = 0;
    for (const [key, value] of Object.entries(data)) {
      size += Buffer.byteLength(String(value), 'base64');
      if (key.length > 253) causes.push(cause.invalid(`data[${key}]`, key, 'must be no more than 253 bytes'));
      if (!DATA_KEY.test(key)) {
        causes.push(
          cause.invalid(
            `data[${key}]`,
            key,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
          ),
        );
      }
    }
    if (size > SECRET_LIMIT) causes.push(cause.tooLong('data', SECRET_LIMIT));
    if (content.type === 'kubernetes.io/tls') {
      for (const key of ['tls.crt', 'tls.key'])
        if (data[key] === undefined) causes.push(cause.required(`data[${key}]`));
    }
    if (old && old.type !== content.type) causes.push(cause.invalid('type', content.type, 'field is immutable'));
    if (old?.immutable === true) {
      if (content.immutable !== true) causes.push(cause.forbidden('immutable', IMMUTABLE_SECRET));
      if (!isEqual(old.data, content.data)) causes.push(cause.forbidden('data', IMMUTABLE_SECRET));
    }
    return causes;
  },
  fieldLabels: ({ type }) => ({ type: String(type) }),
});

const leaseShapes: Shapes = {
  spec: {
    fields: {
      holderIdentity: 'text pointer',
      leaseDurationSeconds: 'integer pointer',
      acquireTime: 'micro time',
      renewTime: 'micro time',
      leaseTransitions: 'integer pointer',
    },
  },
};

export const leases: Kind = builtIn({
  group: 'coordination.k8s.io',
  plural: 'leases',
  kind: 'Lease',
  wantsQualifiedFinalizers: false,
  takesUnconditionalUpdates: false,
  createsOnUpdate: true,
  decode: (body) => ({ spec: {}, ...decodeFields(leaseShapes, body, 'Lease') }),
  causes({ content }) {
    const { leaseDurationSeconds: duration, leaseTransitions: transitions } = membersOf(content.spec);
    return [
      ...(typeof duration === 'number' && duration <= 0
        ? [cause.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
        : []),
      ...(typeof transitions === 'number' && transitions < 0
        ? [cause.invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
        : []),
    ];
  },
});

const namespaceShapes: Shapes = {
  spec: { fields: { finalizers: 'list of texts' } },
  status: { fields: { phase: 'text' } },
};

export const namespaces: Kind = builtIn({
  group: '',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
  hasStatus: true,
  nameForm: 'label',
  // Of the status, the real one knows more than is kept here.
  schema: compileNode(schemaOf({ ...namespaceShapes, status: 'map of texts' })),
  decode: (body) => ({ spec: {}, status: {}, ...decodeFields(namespaceShapes, body, 'Namespace') }),
  prepareCreate(draft) {
    const { finalizers } = membersOf(draft.content.spec);
    const own = Array.isArray(finalizers) ? finalizers.filter((one) => one !== 'kubernetes') : [];
    draft.content = { spec: { finalizers: [...own, 'kubernetes'] }, status: { phase: 'Active' } };
    labelled(draft.metadata);
  },
  prepareUpdate(draft, old, subresource) {
    const { status } = draft.content;
    draft.content = { spec: old.spec, status: subresource === 'status' ? status : old.status };
    labelled(draft.metadata);
  },
  prepareDelete(draft) {
    draft.content = { ...draft.content, status: { ...membersOf(draft.content.status), phase: 'Terminating' } };
  },
  isHeldBack: ({ spec }) => membersOf(spec).finalizers !== undefined,
  fieldLabels: ({ metadata, status }) => ({ name: metadata.name, 'status.phase': String(membersOf(status).phase) }),
});

/** Every namespace carries its name as a label. */
function labelled(metadata: {
  name?: string | undefined;
  labels?: Readonly<Record<string, string>> | undefined;
}): void {
  metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' };
}

/** Only read here: definitions come and go by {@link ../apiserver.ts}. */
export const definitions: Kind = builtIn({
  group: 'apiextensions.k8s.io',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  hasStatus: true,
  decode: ({ spec, status }: Members) => ({ spec, status }),
});

export { builtIn };
