import type { KubeError } from '../kubernetes/errors.ts';
import type { EventRecorder } from '../kubernetes/events.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Logger } from '../telemetry/log.ts';
import { EventReason } from './events.ts';

/**
 * Reports a write to Kubernetes that failed and is tried again. Most pass by themselves. One that is refused for what it
 * says does not, and what the resource's status shows is then out of date for as long: that is reported where a person looks.
 */
export function reportWriteFailure(
  to: { readonly log: Logger; readonly events: Pick<EventRecorder, 'record'> },
  object: KubernetesObject,
  error: KubeError,
): void {
  const { namespace, name } = object.metadata;
  const subject = { kind: object.kind, namespace, name, err: error };
  if (error.reason !== 'Invalid') {
    to.log.debug(subject, 'a write to Kubernetes failed; trying again');
    return;
  }
  const message =
    `Kubernetes refused what was to be stored about it, so its status is out of date: ${error.message}. It is tried again. ` +
    'If a field of its spec is named, correct that: before 1.33, Kubernetes keeps a status out while a later rule refuses the spec. ' +
    'Else apply the CustomResourceDefinitions of this version; if that does not help, report it with this message.';
  to.log.error(subject, message);
  to.events.record({ object, type: 'Warning', reason: EventReason.NotStored, message });
}
