import { expect, it } from 'vitest';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { reportWriteFailure } from '../../../src/reconcile/report-write-failure.ts';
import { createLogger } from '../../../src/telemetry/log.ts';

const object = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'one', namespace: 'a', uid: 'b', resourceVersion: '1' },
};

function told(error: KubeError) {
  const lines: string[] = [];
  const events: object[] = [];
  const log = createLogger({ level: 'info', format: 'json', destination: { write: (line) => void lines.push(line) } });
  reportWriteFailure(
    { log, events: { record: ({ type, reason, message }) => events.push({ type, reason, message }) } },
    object,
    error,
  );
  return { levels: lines.map((line) => JSON.parse(line).level), events };
}

it('what the apiserver refuses for what it says is told as an error, and as an event with what to do', () => {
  const error = new KubeError({
    status: 422,
    reason: 'Invalid',
    message: 'status.id: Too long: may not be more than 64 bytes',
  });
  expect(told(error)).toEqual({
    levels: ['error'],
    events: [
      {
        type: 'Warning',
        reason: 'NotStored',
        message:
          'Kubernetes refused what was to be stored about it, so its status is out of date: status.id: Too long: may not be ' +
          'more than 64 bytes. It is tried again. If a field of its spec is named, correct that: before 1.33, Kubernetes keeps a ' +
          'status out while a later rule refuses the spec. Else apply the CustomResourceDefinitions of this version; if that does ' +
          'not help, report it with this message.',
      },
    ],
  });
});

it.each(['Conflict', 'ConnectionFailed', 'TooManyRequests'])('%s passes by itself, and makes no noise', (reason) => {
  expect(told(new KubeError({ status: 409, reason, message: 'later' }))).toEqual({ levels: [], events: [] });
});
