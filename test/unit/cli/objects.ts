import type { Change } from '../../../src/cli/changes/told.ts';
import type { Reported } from '../../../src/cli/standing.ts';
import type { Condition } from '../../../src/kubernetes/objects.ts';

/** Milliseconds since the epoch: when the tests look. */
export const NOW = Date.parse('2026-11-22T12:00:00Z');

/** A change of a Sim's address. */
export const change: Change = {
  at: '2026-11-22T11:55:00.000000Z',
  kind: 'Sim',
  namespace: 'fleet',
  name: 'truck-17',
  reason: 'Updated',
  message: 'Set its IP address to 10.0.0.18. Because the spec changed: ipAddress.',
  count: 1,
  steps: ['setIP'],
  fields: [{ field: 'ipAddress', before: '10.0.0.17', after: '10.0.0.18' }],
  more: 0,
  cause: 'SpecChanged',
  generation: 3,
  id: '113300000017',
  approval: undefined,
};

/** A condition that has been so for five minutes. */
export function condition(
  type: string,
  status: Condition['status'],
  reason: string,
  message: string,
  observedGeneration = 2,
): Condition {
  return { type, status, reason, message, observedGeneration, lastTransitionTime: '2026-11-22T11:55:00Z' };
}

/** A Sim of generation 2, made an hour ago, with this status. */
export function sim(
  name: string,
  status: Reported['status'] | undefined,
  more: { readonly metadata?: Partial<Reported['metadata']>; readonly spec?: Record<string, unknown> } = {},
): Reported {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: {
      name,
      namespace: 'fleet',
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation: 2,
      creationTimestamp: '2026-11-22T11:00:00Z',
      ...more.metadata,
    },
    spec: { iccid: '8981040000000000017', ...more.spec },
    ...(status && { status }),
  };
}

/** The status of one that is Ready. */
export const readyStatus: NonNullable<Reported['status']> = {
  observedGeneration: 2,
  conditions: [
    condition('Ready', 'True', 'Available', 'The SIM is active.'),
    condition('Synced', 'True', 'Available', 'The service matches the spec.'),
  ],
};

/** The status of one that waits for its gateway. */
export const waitingStatus: Reported['status'] = {
  observedGeneration: 2,
  conditions: ['Ready', 'Synced', 'Reconciling'].map((type) =>
    condition(
      type,
      type === 'Reconciling' ? 'True' : 'False',
      'GatewayNotFound',
      'There is no MobileGateway depot in namespace fleet. Create it, or correct gatewayRef.',
    ),
  ),
};
