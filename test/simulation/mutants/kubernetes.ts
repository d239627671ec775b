import type { Mutant } from './mutant.ts';

/** Faults in watching, writing and electing: src/kubernetes. */
export const kubernetesMutants: readonly Mutant[] = [
  {
    name: 'gone-not-relisted',
    file: 'src/kubernetes/reflector.ts',
    from: `log.info('the watch is too far behind; listing again');
        resourceVersion = undefined;`,
    to: `log.info('the watch is too far behind; listing again');`,
    what: 'After a 410 the watch is begun again from the same version for ever: no change is seen any more.',
  },
  {
    name: 'restored-history-not-noticed',
    file: 'src/kubernetes/reflector.ts',
    from: 'else if (!(await isOfThisHistory(resourceVersion)))',
    to: 'else if ((await isOfThisHistory(resourceVersion)) === undefined)',
    what: 'After etcd was restored from a backup the operator goes on with objects that are gone.',
  },
  {
    name: 'deleted-event-ignored',
    file: 'src/kubernetes/reflector.ts',
    from: 'options.onChanges(store.remove(options.transform(event.object)));',
    to: 'options.transform(event.object);',
    what: 'What is deleted while the watch runs stays in memory, and goes on claiming what it had.',
  },
  {
    name: 'relist-keeps-what-is-gone',
    file: 'src/kubernetes/store.ts',
    from: 'if (seen.has(entry.object.metadata.uid) || isNewer(entry, resourceVersion)) continue;',
    to: 'if (seen.size >= 0 || isNewer(entry, resourceVersion)) continue;',
    what: 'What was deleted while the watch was away stays in memory for ever.',
  },
  {
    name: 'late-answer-brings-back-the-dead',
    file: 'src/kubernetes/store.ts',
    from: `if (isGone(object)) return;
      const entry = find(object);`,
    to: 'const entry = find(object);',
    what: 'The late answer of a write brings a deleted object back into memory, where it claims what it had.',
  },
  {
    name: 'own-write-never-announced',
    file: 'src/kubernetes/store.ts',
    from: 'if (order === 0 && entry.announced === entry.object) return [];',
    to: 'if (order === 0) return [];',
    what: 'Nobody hears of a status the operator wrote itself: Sims wait for a gateway that has long been ready.',
  },
  {
    name: 'patch-never-removes',
    file: 'src/kubernetes/merge-patch.ts',
    from: 'if (isPresent(from, name) && !isPresent(to, name)) changed.push([name, null]);',
    to: 'if (isPresent(from, name) && !isPresent(to, name) && name === "") changed.push([name, null]);',
    what: 'What is no longer so stays in the status: an address that was cleared long ago, drift that was corrected.',
  },
  {
    name: 'event-series-begun-anew',
    file: 'src/kubernetes/events.ts',
    from: 'const isRecent = previous && clock.now() - previous.at / 1000 < SERIES_MILLISECONDS;',
    to: 'const isRecent = previous && clock.now() < previous.at / 1000;',
    what: 'The same event again is a new object each time: a flood of Events.',
  },
  {
    name: 'no-fence-before-kubernetes-write',
    file: 'src/kubernetes/requests.ts',
    from: 'onWire: fenced ? beforeWrite : undefined,',
    to: 'onWire: fenced && call.verb === "" ? beforeWrite : undefined,',
    what: 'A process that has lost its Lease goes on writing statuses and finalizers.',
  },
  {
    name: 'leader-for-ever',
    file: 'src/kubernetes/lease.ts',
    from: 'return clock.monotonic() - renewed.monotonic < limit && clock.now() - renewed.wall < limit;',
    to: 'return clock.monotonic() - renewed.monotonic < limit * 1000;',
    what: 'A process that could not renew its Lease believes that it leads while another one does.',
  },
  {
    name: 'lease-taken-from-the-living',
    file: 'src/kubernetes/lease.ts',
    from: 'return clock.monotonic() - seen.at >= duration * 1000;',
    to: 'return clock.monotonic() - seen.at >= duration;',
    what: 'A standby takes the Lease of a leader that is alive, and both act.',
  },
  {
    name: 'lost-leadership-not-told',
    file: 'src/kubernetes/lease.ts',
    from: 'options.onLost?.();',
    to: '',
    what: 'After the Lease was lost the process neither ends nor leads again: nothing works on the resources any more.',
  },
  {
    name: 'holding-never-renewed',
    file: 'src/kubernetes/holdings.ts',
    from: 'next.set(namespace, clock.monotonic() + duration * RENEW_SHARE * (0.8 + 0.2 * random()));',
    to: 'next.set(namespace, clock.monotonic() + duration * 1000 * RENEW_SHARE * (0.8 + 0.2 * random()));',
    what: 'After twelve minutes the operator no longer holds its namespaces, and stops working on them.',
  },
  {
    name: 'holding-taken-from-another-installation',
    file: 'src/kubernetes/holdings.ts',
    from: 'if (lease && rival !== undefined && !hasExpired(namespace, lease)) return reportRival(namespace, rival);',
    to: 'if (lease && rival !== undefined && !lease.spec) return reportRival(namespace, rival);',
    what: 'An installation takes a namespace from another one that is alive, and both act on it.',
  },
  {
    name: 'holding-of-another-believed-own',
    file: 'src/kubernetes/holdings.ts',
    from: 'if (at === undefined || holderOf(namespace) !== identity) return false;',
    to: 'if (at === undefined) return false;',
    what: 'An installation whose namespace was taken over goes on acting there.',
  },
  {
    name: 'change-while-worked-on-lost',
    file: 'src/kubernetes/work-queue.ts',
    from: "const dirty = entry.state === 'dirty';",
    to: "const dirty = entry.state === 'dirty' && entry.rank < 0;",
    what: 'A change that comes while its resource is worked on is not looked at for ten minutes.',
  },
  {
    name: 'two-workers-on-one-key',
    file: 'src/kubernetes/work-queue.ts',
    from: `case 'active':
        entry.state = 'dirty';
        entry.rank = rank;
        entry.dueSince = clock.monotonic();
        observer?.added?.();
        break;`,
    to: `case 'active':
        enqueue(entry, rank);
        break;`,
    what: 'Two passes work on one resource at the same time, and create what belongs to it twice.',
  },
];
