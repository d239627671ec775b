import { beforeEach, describe, expect, it } from 'vitest';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { createEventRecorder, type EventRecord, type EventRecorderOptions } from '../../../src/kubernetes/events.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryClient } from './memory-client.ts';

let clock: ManualClock;
let memory: ReturnType<typeof memoryClient>;
let busy: boolean;

beforeEach(() => {
  clock = new ManualClock();
  memory = memoryClient();
  busy = false;
});

function recorder(options: Partial<EventRecorderOptions> = {}) {
  let unique = 0;
  return createEventRecorder({
    client: memory.client,
    controller: 'edgeline.dev/operator',
    instance: 'pod-1',
    busy: () => busy,
    clock,
    random: () => (unique++ % 1000) / 1000,
    log: createLogger({ level: 'silent', format: 'json' }),
    ...options,
  });
}

function sim(name: string, namespace: string | undefined = 'a'): KubernetesObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name, uid: `uid-${name}`, resourceVersion: '7', ...(namespace === undefined ? {} : { namespace }) },
  };
}

function event(name: string, message = 'The SIM was created.'): EventRecord {
  return { object: sim(name), type: 'Normal', reason: 'Created', message };
}

const written = () => [...memory.objects.values()];

describe('an event recorder', () => {
  it('writes what kubectl describe shows', async () => {
    recorder().record({ ...event('one'), action: 'Create' });
    await clock.advance(0);
    expect(written()).toEqual([
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: 'one.19b76daa80000000', namespace: 'a', resourceVersion: '1' },
        eventTime: '2026-01-01T00:00:00.000000Z',
        type: 'Normal',
        reason: 'Created',
        action: 'Create',
        note: 'The SIM was created.',
        reportingController: 'edgeline.dev/operator',
        reportingInstance: 'pod-1',
        regarding: {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'Sim',
          name: 'one',
          namespace: 'a',
          uid: 'uid-one',
          resourceVersion: '7',
        },
      },
    ]);
  });

  it('writes events of cluster-scoped objects to the namespace default', async () => {
    const { metadata } = sim('wide');
    const { namespace: _, ...clusterScoped } = metadata;
    recorder().record({ ...event('wide'), object: { ...sim('wide'), metadata: clusterScoped } });
    await clock.advance(0);
    expect(memory.calls).toEqual([expect.stringMatching(/^create events\/default\/wide\./)]);
  });

  it('counts the same event in one go on one', async () => {
    const events = recorder();
    for (let count = 0; count < 5; count++) events.record(event('one'));
    await clock.advance(0);
    expect(written().map(({ series }) => series)).toEqual([
      { count: 5, lastObservedTime: '2026-01-01T00:00:00.000004Z' },
    ]);
  });

  it('counts a complaint of the service on one, whatever number the service gives it', async () => {
    const events = recorder();
    for (const serial of ['a1', 'a2', 'a3']) events.record(event('one', `It is taken (serial ${serial}). Wait.`));
    await clock.advance(0);
    expect(written()).toMatchObject([{ note: 'It is taken (serial a1). Wait.', series: { count: 3 } }]);
  });

  it('gives what happens within one millisecond times in its order', async () => {
    const events = recorder();
    for (const message of ['first', 'second', 'third']) events.record(event('one', message));
    await clock.advance(1);
    events.record(event('one', 'fourth'));
    await clock.advance(0);
    expect(written().map(({ note, eventTime }) => [note, eventTime])).toEqual([
      ['first', '2026-01-01T00:00:00.000000Z'],
      ['second', '2026-01-01T00:00:00.000001Z'],
      ['third', '2026-01-01T00:00:00.000002Z'],
      ['fourth', '2026-01-01T00:00:00.001000Z'],
    ]);
  });

  it('continues the series of an event seen a while ago, and begins anew after that', async () => {
    const events = recorder();
    events.record(event('one'));
    await clock.advance(60_000);
    events.record(event('one'));
    await clock.advance(60_000);
    events.record(event('one', 'Another message.'));
    await clock.advance(11 * 60_000);
    events.record(event('one'));
    await clock.advance(0);
    expect(memory.calls.map((call) => call.split(' ')[0])).toEqual(['create', 'patch', 'create', 'create']);
    expect(written().map(({ series }) => series)).toEqual([
      { count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z' },
      undefined,
      undefined,
    ]);
  });

  it('continues the series of an event whose creation had no answer', async () => {
    let answers = false;
    const { client } = memory;
    const create: typeof client.create = async <T>(
      resource: Resource,
      namespace: string | undefined,
      object: object,
    ) => {
      const created = await client.create<T>(resource, namespace, object);
      if (!answers) throw new Error('the answer was lost');
      return created;
    };
    const events = recorder({ client: { ...client, create } });
    events.record(event('one'));
    await clock.advance(60_000);
    answers = true;
    events.record(event('one'));
    await clock.advance(0);
    expect(written().map(({ series }) => series)).toEqual([
      { count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z' },
    ]);
  });

  it('begins anew when the event is gone', async () => {
    const events = recorder();
    events.record(event('one'));
    await clock.advance(1000);
    memory.objects.clear();
    events.record(event('one'));
    await clock.advance(0);
    expect(written()).toHaveLength(1);
  });

  it('sends at most ten a second while there is more important work, and as fast as it can otherwise', async () => {
    busy = true;
    const events = recorder();
    for (let count = 0; count < 100; count++) events.record(event(`sim-${count}`));
    await clock.advance(2000);
    expect(memory.calls.length).toBeLessThanOrEqual(21);
    expect(memory.calls.length).toBeGreaterThanOrEqual(20);
    busy = false;
    await clock.advance(100);
    await clock.advance(0);
    for (let turn = 0; turn < 50 && events.length > 0; turn++) await clock.advance(0);
    expect([events.length, memory.calls.length]).toEqual([0, 100]);
  });

  it('drops the oldest when too many wait, and says how many', async () => {
    busy = true;
    const events = recorder({ capacity: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) events.record(event(name));
    expect([events.length, events.dropped]).toEqual([3, 2]);
    busy = false;
    for (let turn = 0; turn < 5; turn++) await clock.advance(0);
    expect(written().map(({ metadata }) => metadata.name.split('.')[0])).toEqual(['c', 'd', 'e']);
  });

  it('takes in fifty at once of one routine, and six a minute then: of each and each kind in each namespace', async () => {
    let told = 0;
    const events = recorder({ onDropped: () => told++ });
    const routine = (name: string, more: Partial<EventRecord> = {}) =>
      events.record({ ...event(name), routine: 'Created', ...more });
    for (let count = 0; count < 1000; count++) routine(`sim-${count}`);
    expect([events.length, events.dropped, told]).toEqual([50, 950, 950]);
    routine('sim-1', { reason: 'Ready', routine: 'Ready' });
    routine('depot', { object: { ...sim('depot'), kind: 'MobileGateway' } });
    routine('other', { object: sim('other', 'b') });
    events.record(event('sim-1', 'Took over 1.'));
    expect([events.length, events.dropped]).toEqual([54, 950]);
    for (let second = 0; second < 120; second++) {
      await clock.advance(1000);
      routine(`late-${second}`);
    }
    await clock.advance(0);
    expect(written().filter(({ metadata }) => metadata.name.startsWith('late-'))).toHaveLength(12);
  });

  it('says in the log that many are left out: once in ten minutes, without a name', async () => {
    const lines: string[] = [];
    const log = createLogger({
      level: 'info',
      format: 'json',
      destination: { write: (line) => void lines.push(line) },
    });
    const events = recorder({ log });
    for (let count = 0; count < 100; count++) events.record({ ...event(`sim-${count}`), routine: 'Created' });
    await clock.advance(30_000);
    for (let count = 0; count < 100; count++) events.record({ ...event(`more-${count}`), routine: 'Created' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        kind: 'Sim',
        namespace: 'a',
        events: 'Created',
        message:
          'there are many events Created of this kind in this namespace: at most 6 a minute are written until there are fewer; statuses and the log of changes have all',
      },
    ]);
  });

  it('gives up what is routine before anything else, and Warnings last', async () => {
    busy = true;
    const events = recorder({ capacity: 3 });
    const warning: EventRecord = { ...event('lost', 'It has vanished.'), type: 'Warning', reason: 'Vanished' };
    events.record(warning);
    events.record(event('adopted'));
    events.record({ ...event('created'), routine: 'Created' });
    for (const name of ['b', 'c']) events.record({ ...warning, object: sim(name) });
    busy = false;
    for (let turn = 0; turn < 5; turn++) await clock.advance(0);
    expect([written().map(({ metadata }) => metadata.name.split('.')[0]), events.dropped]).toEqual([
      ['lost', 'b', 'c'],
      2,
    ]);
  });

  it('gives up those of the namespace that has the most, and lets namespaces take turns', async () => {
    busy = true;
    const events = recorder({ capacity: 4 });
    const ofQuiet = (name: string) => ({ ...event(name), object: sim(name, 'quiet') });
    events.record(ofQuiet('first'));
    for (const name of ['a', 'b', 'c', 'd', 'e']) events.record(event(name));
    events.record(ofQuiet('last'));
    expect([events.length, events.dropped]).toEqual([4, 3]);
    for (let turn = 0; turn < 5; turn++) await clock.advance(1000);
    expect(written().map(({ metadata }) => metadata.name.split('.')[0])).toEqual(['first', 'd', 'last', 'e']);
  });

  it('goes on after the apiserver refused one', async () => {
    let first = true;
    memory.fail(() => {
      if (!first) return undefined;
      first = false;
      return new KubeError({ status: 403, reason: 'Forbidden', message: 'no' });
    });
    const events = recorder();
    events.record(event('one'));
    events.record(event('two'));
    for (let turn = 0; turn < 5; turn++) await clock.advance(0);
    expect([events.dropped, written().length]).toEqual([1, 1]);
  });

  it('sends what is left when flushed, however busy it is, and takes no more', async () => {
    busy = true;
    const events = recorder();
    for (const name of ['a', 'b', 'c']) events.record(event(name));
    await clock.advance(0);
    await events.flush(1000);
    events.record(event('late'));
    await clock.advance(5000);
    expect([written().length, events.length, events.dropped]).toEqual([3, 0, 0]);
  });

  it('gives up a flush that takes too long', async () => {
    memory.hold();
    const events = recorder();
    for (const name of ['a', 'b', 'c']) events.record(event(name));
    await clock.advance(0);
    const flushed = events.flush(1000);
    await clock.advance(1000);
    await flushed;
    expect(events.dropped).toBe(2);
  });

  it('cuts messages and names to what the apiserver takes', async () => {
    recorder().record({ ...event('x', 'm'.repeat(2000)), object: sim(`${'n'.repeat(235)}-${'o'.repeat(13)}`) });
    await clock.advance(0);
    const [only] = written();
    expect([String(only?.note).length, only?.metadata.name.length]).toEqual([1024, 252]);
    expect(only?.metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
  });
});
