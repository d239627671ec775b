import { expect, test } from 'vitest';
import { createClosedNamespaces, type HasLiving } from '../../../src/kubernetes/closed-namespaces.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partial } from '../../support/partial.ts';

const refusal = (status: number, reason: string, message = '') => new KubeError({ status, reason, message });
const terminating = refusal(403, 'Forbidden', 'it is forbidden because it is being terminated');
const notFound = refusal(404, 'NotFound');

/** What is seen of the namespace `fleet`: its UID, and whether it is being deleted. */
type Seen = { readonly uid: string; readonly deletionTimestamp?: string } | undefined;
const going: Seen = { uid: '1', deletionTimestamp: '2026-01-01T00:00:00Z' };

/** What counts once each was seen in turn, when the first was there as the Lease was refused. */
function played(error: KubeError, ...seen: readonly Seen[]) {
  return playedWith(() => false, error, ...seen);
}

function playedWith(hasLiving: HasLiving, error: KubeError, ...seen: readonly Seen[]) {
  let [metadata] = seen;
  const closed = createClosedNamespaces(partial({ get: () => metadata && { metadata } }), hasLiving, new ManualClock());
  const isOfNamespace = closed.refused('fleet', error);
  return [
    isOfNamespace,
    ...seen.map((one) => {
      metadata = one;
      if (closed.isGoing('fleet')) return 'going';
      return closed.isMissing('fleet') ? 'missing' : 'open';
    }),
  ];
}

test('a namespace that refuses a Lease because it is being deleted is closed for as long as it is there', () => {
  const anew = { uid: '2' };
  expect(played(terminating, going, undefined, anew, { ...going, ...anew })).toEqual([
    true,
    'going',
    'open',
    'open',
    'open',
  ]);
});

test('one of which is not seen yet that it is being deleted is closed from the next try on', () => {
  expect(played(terminating, { uid: '1' }, going)).toEqual([true, 'open', 'open']);
});

test('one in which something was made since is another, of which only that is seen', () => {
  const at = Date.parse('2026-01-01T00:00:00Z');
  expect(playedWith((_, since) => since === at, terminating, going, going)).toEqual([true, 'open', 'open']);
});

test('one that is not there is missing until it is seen', () => {
  expect(played(notFound, undefined, { uid: '2' })).toEqual([true, 'missing', 'open']);
});

test('a refusal for another reason says nothing of the namespace', () => {
  expect(played(refusal(403, 'Forbidden'), going)).toEqual([false, 'open']);
});

test('where namespaces are not watched a refusal counts while nothing in it stays, and until a Lease could be made', async () => {
  const clock = new ManualClock();
  let hasLiving = false;
  const closed = createClosedNamespaces(undefined, () => hasLiving, clock);
  const counts: boolean[] = [];
  const count = () => counts.push(closed.isGoing('fleet'));
  closed.refused('fleet', terminating);
  count();
  hasLiving = true;
  count();
  hasLiving = false;
  await clock.advance(29_000);
  count();
  await clock.advance(1000);
  count();
  closed.refused('fleet', terminating);
  closed.opened('fleet');
  count();
  expect(counts).toEqual([true, false, true, false, false]);
});
