import { isEqual, isMembers, type Members, membersOf, textOf } from '../json.ts';
import { qualifiedNameProblems } from '../names.ts';
import { decodeFields, type Shapes } from '../shapes.ts';
import { type Cause, cause } from '../status.ts';
import { builtIn } from './built-in.ts';
import type { Kind } from './kind.ts';

const reference: Shapes = {
  kind: 'text',
  namespace: 'text',
  name: 'text',
  uid: 'text',
  apiVersion: 'text',
  resourceVersion: 'text',
  fieldPath: 'text',
};

const shapes: Shapes = {
  eventTime: 'micro time',
  series: { fields: { count: 'integer pointer', lastObservedTime: 'micro time' } },
  reportingController: 'text',
  reportingInstance: 'text',
  action: 'text',
  reason: 'text',
  regarding: { fields: reference },
  related: { fields: reference },
  note: 'text',
  type: 'text',
  deprecatedSource: { fields: { component: 'text', host: 'text' } },
  deprecatedFirstTimestamp: 'time',
  deprecatedLastTimestamp: 'time',
  deprecatedCount: 'integer',
};

/** Events of `events.k8s.io/v1`. Field names in refusals are those of the kind the apiserver keeps them as. */
export const events: Kind = builtIn({
  group: 'events.k8s.io',
  plural: 'events',
  kind: 'Event',
  storedGroup: '',
  createsOnUpdate: true,
  decode: (body) => ({
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
    ...decodeFields(shapes, body, 'Event'),
  }),
  causes({ metadata, content }, old) {
    const causes = [...generalCauses(content, metadata.namespace ?? ''), ...seriesCauses(content)];
    if (old) return [...causes, ...changeCauses(content, old)];
    if (content.eventTime === null) causes.push(cause.required('eventTime'));
    if (content.type !== 'Normal' && content.type !== 'Warning') {
      causes.push(cause.invalid('type', '', `has invalid value: ${textOf(content.type)}`));
    }
    return causes;
  },
});

/** Texts that must be there, with the most characters each may have. */
const REQUIRED = { reportingInstance: 128, action: 128, reason: 128 } as const;

function generalCauses(content: Members, namespace: string): Cause[] {
  const place = textOf(membersOf(content.regarding).namespace);
  const isElsewhere = cause.invalid('involvedObject.namespace', place, 'does not match event.namespace');
  if (content.eventTime === null) return (place || 'default') === namespace ? [] : [isElsewhere];
  const causes = place === '' && namespace !== 'default' && namespace !== 'kube-system' ? [isElsewhere] : [];
  const controller = textOf(content.reportingController);
  if (controller === '') causes.push(cause.required('reportingController'));
  for (const problem of qualifiedNameProblems(controller)) {
    causes.push(cause.invalid('reportingController', controller, problem));
  }
  for (const [name, most] of Object.entries(REQUIRED)) {
    const text = textOf(content[name]);
    if (text === '') causes.push(cause.required(name));
    if (Buffer.byteLength(text) > most) causes.push(cause.invalid(name, '', `can have at most ${most} characters`));
  }
  if (Buffer.byteLength(textOf(content.note)) > 1024) {
    causes.push(cause.invalid('message', '', 'can have at most 1024 characters'));
  }
  return causes;
}

function seriesCauses({ series }: Members): Cause[] {
  if (series === undefined) return [];
  const { count, lastObservedTime } = membersOf(series);
  return [
    ...(typeof count !== 'number' || count < 2 ? [cause.invalid('series.count', '', 'should be at least 2')] : []),
    ...(lastObservedTime === undefined ? [cause.required('series.lastObservedTime')] : []),
  ];
}

/** What never changes, and what refusals call it. */
const FIXED = {
  regarding: 'involvedObject',
  reason: 'reason',
  note: 'message',
  type: 'type',
  eventTime: 'eventTime',
  action: 'action',
  related: 'related',
  reportingController: 'reportingController',
  reportingInstance: 'reportingInstance',
} as const;

function changeCauses(content: Members, old: Members): Cause[] {
  return Object.entries(FIXED).flatMap(([name, field]) =>
    isEqual(content[name], old[name]) ? [] : [cause.invalid(field, asKept(name, content[name]), 'field is immutable')],
  );
}

/** A value as the apiserver's own kind has it, which refusals show. */
function asKept(name: string, value: unknown): unknown {
  if (name === 'eventTime') return value;
  if (!isMembers(value)) return value ?? '';
  const { kind, namespace, name: of, uid, apiVersion, resourceVersion, fieldPath } = value;
  return {
    Kind: textOf(kind),
    Namespace: textOf(namespace),
    Name: textOf(of),
    UID: textOf(uid),
    APIVersion: textOf(apiVersion),
    ResourceVersion: textOf(resourceVersion),
    FieldPath: textOf(fieldPath),
  };
}
