import { expect, test } from 'vitest';
import { gatherSite, type SiteSources } from '../../../../src/kinds/web-accel-site/gather.ts';
import type { WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** In which lane a site asks for a list where there was none, or only an old one that does not show it. */
async function laneFor(recorded: string | undefined, isListed: boolean) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const list = {
    snapshot: () => (isListed ? { startedAt: -1000, items: new Map(), complete: true } : undefined),
    observeAfter: async (_after: number, _signal: unknown, _turn: unknown, party: string, lane: string) =>
      void asked.push(`${lane} for ${party}`),
  };
  const pass = {
    object: { metadata: { name: 'www', namespace: 'fleet', uid: 'one' }, spec: { domain: 'made-up.example.jp' } },
    session: { identity: 'east', sites: () => list },
    progress: { id: recorded, marks: {}, pending: [], applied: {} },
    absentNotBefore: 0,
    call: (lane: string) => ({ lane, party: 'fleet' }),
  };
  const sources = {
    clock,
    secrets: { read: async () => undefined },
    losses: { access: () => undefined },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass and its sources as is asked
  const gathered = await gatherSite(pass as unknown as Pass<WebAccelSite>, sources as unknown as SiteSources);
  return { asked, lane: 'until' in gathered ? gathered.lane : undefined };
}

test('what is named first is looked for out of no part of the hour that is kept for writes', async () => {
  expect([await laneFor(undefined, false), await laneFor(undefined, true)]).toEqual([
    { asked: ['list for fleet'], lane: 'list' },
    { asked: ['list for fleet'], lane: 'list' },
  ]);
});

test('what is on record waits for the first list as for any reading that a change depends on', async () => {
  expect(await laneFor('113300000001', false)).toEqual({ asked: ['verify for fleet'], lane: 'verify' });
});
