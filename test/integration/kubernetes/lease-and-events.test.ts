import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createEventRecorder } from '../../../src/kubernetes/events.ts';
import { createLeaseElector } from '../../../src/kubernetes/lease.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { eventually, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';
import { CONFIG_MAPS, connect, quiet } from './support.ts';

const client = await connect();

describe('leader election, at a real apiserver', () => {
  it('passes the Lease on when its holder stops', async () => {
    const namespace = await testNamespace('lease');
    const candidates = ['a', 'b'].map((identity) =>
      createLeaseElector({
        client,
        namespace,
        name: 'edgeline',
        identity,
        retryPeriod: 0.2,
        clock: systemClock,
        random: Math.random,
        log: quiet,
      }),
    );
    for (const candidate of candidates) candidate.start();
    await Promise.any(candidates.map((candidate) => candidate.acquired(AbortSignal.timeout(5000))));
    const leader = candidates.find((candidate) => candidate.isLeader());
    const other = candidates.find((candidate) => candidate !== leader);
    expect(other?.isLeader()).toBe(false);
    await leader?.stop();
    await other?.acquired(AbortSignal.timeout(5000));
    expect(
      await kubectlOutput(['-n', namespace, 'get', 'lease', 'edgeline', '-o', 'jsonpath={.spec.leaseTransitions}']),
    ).toBe('1');
    await other?.stop();
  });
});

describe('events, at a real apiserver', () => {
  it('are shown by kubectl describe, counted', async () => {
    const namespace = await testNamespace('events');
    const object = await client.create<KubernetesObject>(CONFIG_MAPS, namespace, { metadata: { name: 'one' } });
    const recorder = createEventRecorder({
      client,
      controller: 'edgeline.dev/operator',
      instance: 'test',
      busy: () => false,
      clock: systemClock,
      random: Math.random,
      log: quiet,
    });
    const event = { object, type: 'Warning', reason: 'GatewayMissing', message: 'There is no gateway "g".' } as const;
    recorder.record(event);
    await eventually(() => expect(recorder.length).toBe(0));
    recorder.record(event);
    recorder.record(event);
    await recorder.flush(5000);
    expect(recorder.dropped).toBe(0);
    const described = await kubectlOutput(['-n', namespace, 'describe', 'configmap', 'one']);
    expect(described).toMatch(
      /Warning\s+GatewayMissing\s+\S+ \(x3 over \S+\)\s+edgeline\.dev\/operator\s+There is no gateway "g"\./,
    );
  });
});
