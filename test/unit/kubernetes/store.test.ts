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

  it('sweeps what a list did not show, but not what was written since', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1, 'gone', 'gone'));
    store.upsert(thing(2, 'kept', 'kept'));
    store.put(thing(12, 'new', 'new'));
    const seen = new Set<string>();
    expect(store.listed(thing(2, 'kept', 'kept'), seen)).toEqual([]);
    expect(store.sweep(undefined, seen, '10')).toEqual([{ old: thing(1, 'gone', 'gone') }]);
    expect(store.list()).toEqual([thing(2, 'kept', 'kept'), thing(12, 'new', 'new')]);
  });

  it('sweeps only the namespace that was listed', () => {
    const store = createStore<KubernetesObject>();
    store.upsert(thing(1));
    expect(store.sweep('b', new Set(), '10')).toEqual([]);
    expect(store.sweep('a', new Set(), '10')).toEqual([{ old: thing(1) }]);
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
