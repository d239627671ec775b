import { EVENTS, LEASES, SECRETS } from '../../../src/kubernetes/resource.ts';
import type { Parts } from './parts.ts';
import { specOf, statusOf } from './values.ts';

const micro = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000000Z`;

/** Everything but metadata; wrong now and then. */
export function contentOf(
  { resource, definition, random, place, name }: Parts,
  how: 'any' | 'new' | 'right' = 'any',
): object {
  const isOdd = how !== 'right' && random.oneIn(4);
  const odd = (part: object) => (isOdd && random.oneIn(4) ? part : {});
  if (definition) {
    return {
      spec: specOf(definition, random, how === 'right'),
      ...(random.oneIn(4) ? { status: statusOf(definition, random) } : {}),
      ...odd({ spec: undefined }),
    };
  }
  switch (resource) {
    case LEASES:
      return {
        spec: {
          holderIdentity: random.pick(['one', 'two', '']),
          leaseDurationSeconds: random.pick([15, 900]),
          acquireTime: micro(1),
          renewTime: micro(random.below(60)),
          leaseTransitions: random.pick([0, 1, 2]),
          ...odd({ leaseDurationSeconds: random.pick([0, -1, 'x', null]) }),
          ...odd({ leaseTransitions: -1 }),
          ...odd({ renewTime: '2026-01-02T03:04:05Z' }),
          ...odd({ unknown: true }),
        },
        ...odd({ spec: undefined }),
      };
    case SECRETS:
      return {
        ...(random.oneIn(2) ? { data: { key: random.pick(['dmFsdWU=', 'b3RoZXI=', '']) } } : {}),
        ...(random.oneIn(2) ? { stringData: { key: random.pick(['text', 'é', '']), other: 'a' } } : {}),
        ...(random.oneIn(4) ? { type: random.pick(['Opaque', 'own/type']) } : {}),
        ...odd({ type: 'kubernetes.io/tls' }),
        ...odd({ type: 'kubernetes.io/tls', data: { 'tls.crt': 'YQ==', 'tls.key': 'YQ==' } }),
        ...odd({ data: { 'a b': 'YQ==' } }),
        ...odd({ data: { key: 'not base64' } }),
        ...odd({ immutable: true }),
      };
    case EVENTS:
      return {
        eventTime: micro(random.below(2)),
        type: random.pick(['Normal', 'Warning']),
        reason: 'Created',
        action: 'Reconcile',
        note: random.pick(['It was made.', 'a'.repeat(1024)]),
        reportingController: 'edgeline.dev/operator',
        reportingInstance: 'pod',
        regarding: { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', name, namespace: place.namespace },
        ...(random.oneIn(3) ? { series: { count: random.pick([2, 3]), lastObservedTime: micro(5) } } : {}),
        ...odd({ series: { count: 1, lastObservedTime: micro(5) } }),
        ...odd({ series: {} }),
        ...odd({ eventTime: undefined }),
        ...odd({ type: 'Other' }),
        ...odd({ reason: '' }),
        ...odd({ note: 'a'.repeat(1025) }),
        ...odd({ reportingController: random.pick(['a b', '']) }),
        ...odd({ regarding: { kind: 'Sim', name } }),
      };
    default:
      // Only of a new one: see `salt`.
      return how === 'new' && random.oneIn(3)
        ? { spec: { finalizers: ['example.com/own'] }, status: { phase: 'Terminating' } }
        : {};
  }
}
