import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResourceVersions, type KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { createStore } from '../../../src/kubernetes/store.ts';

function thing(version: number, uid = 'u1', name = 'one'): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name, namespace: 'a', uid, resourceVersion: String(version) } };
}

describe('a store', () => {
  it('tells of a change once, however often it is brought', () => {
    const store = createStore<KubernetesObject>();
    expect(store.upsert(thing(1))).toEqual([{ new: thing(1) }]);
    expect(store.upsert(thing(1))).toEqual([]);
    expect(store.upsert(thing(2))).toEqual([{ old: thing(1), new: thing(2) }]);
    expect(store.upsert(thing(1))).toEqual([]);
    expect(store.get('a', 'one')).toEqual(thing(2));
  });

  it('keeps what was put against an older event, and tells of both when the watch has caught up', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    store.put(thing(3));
    expect(store.upsert(thing(2))).toEqual([]);
    expect(store.get('a', 'one')).toEqual(thing(3));
    expect(store.upsert(thing(3))).toEqual([{ old: thing(1), new: thing(3) }]);
  });

  it('does not put what is older than what is here', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(3));
    store.put(thing(2));
    expect(store.get('a', 'one')).toEqual(thing(3));
  });

  it('shows a created object at once, and tells of it when the watch brings it', () => {
    const store = createStore<KubernetesObject>();
    store.put(thing(1));
    expect(store.list()).toEqual([thing(1)]);
    expect(store.upsert(thing(1))).toEqual([{ new: thing(1) }]);
  });

  it('does not bring back what was deleted, when the answer of the last write comes late', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    expect(store.remove(thing(3))).toEqual([{ old: thing(3) }]);
    store.put(thing(2));
    expect(store.list()).toEqual([]);
    expect(store.size).toBe(0);
  });

  it('lets a deletion win over a newer version of the same object', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    store.put(thing(9));
    expect(store.remove(thing(5))).toEqual([{ old: thing(5) }]);
    expect(store.list()).toEqual([]);
  });

  it('lets the deletion of an object leave its successor alone', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1, 'first'));
    store.put(thing(5, 'second'));
    expect(store.remove(thing(3, 'first'))).toEqual([{ old: thing(3, 'first') }]);
    expect(store.list()).toEqual([thing(5, 'second')]);
    expect(store.upsert(thing(5, 'second'))).toEqual([{ new: thing(5, 'second') }]);
  });

  it('drops what a list did not show, but not what was put since the list was asked for', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1, 'gone', 'gone'));
    store.upsert(thing(2, 'kept', 'kept'));
    store.put(thing(11, 'before', 'before'));
    const intake = store.beginList(undefined);
    store.put(thing(12, 'new', 'new'));
    store.put(thing(9, 'created and deleted', 'created and deleted'));
    expect(intake.take(thing(2, 'kept', 'kept'))).toEqual([]);
    expect(intake.end('10')).toEqual([{ old: thing(1, 'gone', 'gone') }]);
    expect(store.list()).toEqual([thing(2, 'kept', 'kept'), thing(12, 'new', 'new')]);
  });

  it('takes from a list what is older than what it has: etcd may have been restored from a backup', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(50, 'changed', 'changed'));
    store.upsert(thing(51, 'put', 'put'));
    store.put(thing(52, 'put', 'put'));
    store.upsert(thing(53, 'deleted', 'deleted'));
    store.remove(thing(54, 'deleted', 'deleted'));
    store.upsert(thing(55, 'another', 'anew'));
    const intake = store.beginList(undefined);
    expect(intake.take(thing(10, 'changed', 'changed'))).toEqual([
      { old: thing(50, 'changed', 'changed'), new: thing(10, 'changed', 'changed') },
    ]);
    expect(intake.take(thing(11, 'put', 'put'))).toEqual([
      { old: thing(51, 'put', 'put'), new: thing(11, 'put', 'put') },
    ]);
    expect(intake.take(thing(12, 'deleted', 'deleted'))).toEqual([{ new: thing(12, 'deleted', 'deleted') }]);
    expect(intake.take(thing(13, 'one', 'anew'))).toEqual([
      { old: thing(55, 'another', 'anew') },
      { new: thing(13, 'one', 'anew') },
    ]);
    expect(intake.end('20')).toEqual([]);
    expect(store.upsert(thing(21, 'changed', 'changed'))).toEqual([
      { old: thing(10, 'changed', 'changed'), new: thing(21, 'changed', 'changed') },
    ]);
  });

  it('keeps the answer of a write that came while the list was on its way', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    const intake = store.beginList(undefined);
    store.put(thing(5));
    expect(intake.take(thing(3))).toEqual([]);
    expect(intake.end('4')).toEqual([]);
    expect(store.upsert(thing(5))).toEqual([{ old: thing(1), new: thing(5) }]);
  });

  it('drops only of the namespace that was listed', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    expect(store.beginList('b').end('10')).toEqual([]);
    expect(store.beginList('a').end('10')).toEqual([{ old: thing(1) }]);
  });

  it('ends up with what the watch ended with, whatever was put in between', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('watch', 'put', 'both'), fc.boolean()), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (plan) => {
        const store = createStore<KubernetesObject>();
        let told: KubernetesObject | undefined;
        let server: KubernetesObject | undefined;
        let incarnation = 0;
        const late: KubernetesObject[] = [];
        plan.forEach(([how, deletes], version) => {
          let changes: ReturnType<typeof store.upsert>;
          if (deletes && server) {
            const last = thing(version, server.metadata.uid);
            server = undefined;
            changes = store.remove(last);
          } else {
            server = thing(version, server?.metadata.uid ?? `u${++incarnation}`);
            if (how !== 'watch') store.put(server);
            if (how === 'put') late.push(server);
            changes = store.upsert(server);
          }
          // The answer of an older write may come at any time.
          for (const object of late) store.put(object);
          for (const change of changes) {
            expect(change.old?.metadata.uid).toBe(told?.metadata.uid);
            told = change.new;
          }
        });
        expect(store.list()).toEqual(server ? [server] : []);
        expect(told).toEqual(server);
      }),
    );
  });
});

describe('resource versions', () => {
  it('are ordered as the integers they are', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 63n), fc.bigInt(1n, 2n ** 63n), (a, b) => {
        expect(Math.sign(compareResourceVersions(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
