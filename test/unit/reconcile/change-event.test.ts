import { describe, expect, it } from 'vitest';
import { changeAnnotations, netChanges } from '../../../src/reconcile/change-event.ts';

const object = {
  apiVersion: 'v',
  kind: 'Sim',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', generation: 2 },
  spec: {},
};
const cleared = { field: 'ipAddress', before: '10.0.0.5', after: 'none' };
const set = { field: 'ipAddress', before: 'none', after: '10.0.0.6' };
const registered = { field: 'gatewayRef', before: '1', after: '2' };

describe('what an Event says of writes', () => {
  it('is each field once, as it was before and is in the end', () => {
    expect(netChanges([cleared, registered, set])).toEqual([
      { field: 'ipAddress', before: '10.0.0.5', after: '10.0.0.6' },
      registered,
    ]);
  });

  it('is an annotation for programs', () => {
    const done = [
      { do: 'clearIP', changes: [cleared] },
      { do: 'setIP', changes: [set] },
    ];
    const { 'edgeline.dev/change': text = '' } = changeAnnotations(object, '7', 'SpecChanged', done);
    expect(JSON.parse(text)).toEqual({
      cause: 'SpecChanged',
      generation: 2,
      id: '7',
      steps: ['clearIP', 'setIP'],
      fields: [{ field: 'ipAddress', before: '10.0.0.5', after: '10.0.0.6' }],
    });
    const { 'edgeline.dev/change': approved = '' } = changeAnnotations(object, '7', 'SpecChanged', done, 'abc');
    expect(JSON.parse(approved)).toEqual({ ...JSON.parse(text), approval: 'abc' });
  });

  it('is short, however much was changed', () => {
    const changes = Array.from({ length: 40 }, (_, index) => ({
      field: `field${index}`,
      before: 'x'.repeat(5000),
      after: 'y'.repeat(5000),
    }));
    const { 'edgeline.dev/change': text = '' } = changeAnnotations(object, '7', 'SpecChanged', [
      { do: 'x', changes },
      ...Array.from({ length: 2000 }, () => ({ do: 'unregister', changes: [] })),
    ]);
    expect(JSON.parse(text)).toMatchObject({ more: 28 });
    expect(text.length).toBeLessThan(4000);
  });
});
