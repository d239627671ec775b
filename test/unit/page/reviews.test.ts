import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kindOf } from '../../../src/cli/kinds.ts';
import { parseJson } from '../../../src/kubernetes/json.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { createReviews, type Place } from '../../../src/page/access/reviews.ts';
import { statusPage } from '../../../src/page/handler.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fleetOf, pageSourceOf } from '../../support/page.ts';

const review = z.object({
  spec: z.object({
    token: z.string().optional(),
    resourceAttributes: z.object({ namespace: z.string().optional() }).optional(),
  }),
});

/** An apiserver that knows the token `good`, and lets its user list in these namespaces. */
function apiserver(namespaces: Set<string>) {
  const asked: string[] = [];
  return {
    asked,
    create: <T>(resource: Resource, _namespace: string | undefined, object: object): Promise<T> => {
      const { spec } = review.parse(object);
      asked.push(resource.kind);
      const status =
        resource.kind === 'TokenReview'
          ? { authenticated: spec.token === 'good', user: { username: spec.token === 'good' ? 'kai' : '' } }
          : { allowed: namespaces.has(spec.resourceAttributes?.namespace ?? '') };
      return Promise.resolve(parseJson<T>(JSON.stringify({ status })));
    },
  };
}

const sims = (namespace: string): Place => ({ kind: kindOf('Sim'), namespace });

describe('who somebody is and what they may see', () => {
  it('is asked once a minute and twice a minute, so that a right that was taken away ends', async () => {
    const clock = new ManualClock();
    const namespaces = new Set(['fleet']);
    const server = apiserver(namespaces);
    const reviews = createReviews(() => server, clock);
    const look = async () => {
      const user = await reviews.userOf('good');
      return user && (await reviews.sightOf(user, [sims('fleet')])).sees('Sim', 'fleet');
    };
    expect(await look()).toBe(true);
    const first = server.asked.length;
    expect(first).toBe(1 + 6 + 1);
    namespaces.clear();
    expect([await look(), server.asked.length]).toEqual([true, first]);
    await clock.advance(30_001);
    expect([await look(), server.asked.length]).toEqual([false, first + 7]);
  });

  it('of a stranger is asked again after ten seconds', async () => {
    const clock = new ManualClock();
    const server = apiserver(new Set());
    const reviews = createReviews(() => server, clock);
    for (let tries = 0; tries < 5; tries++) expect(await reviews.userOf('bad')).toBeUndefined();
    expect(server.asked).toEqual(['TokenReview']);
    await clock.advance(10_001);
    await reviews.userOf('bad');
    expect(server.asked.length).toBe(2);
  });

  it('is asked for so many namespaces at once, and for the others the next time', async () => {
    const clock = new ManualClock();
    const names = Array.from({ length: 600 }, (_, index) => `n${index}`);
    const reviews = createReviews(() => apiserver(new Set(names)), clock);
    const user = await reviews.userOf('good');
    if (!user) throw new Error('nobody');
    const seen: [number, boolean][] = [];
    for (let look = 0; look < 3; look++) {
      const sight = await reviews.sightOf(user, names.map(sims));
      seen.push([names.filter((name) => sight.sees('Sim', name)).length, sight.isPartial]);
    }
    expect(seen).toEqual([
      [256, true],
      [512, true],
      [600, false],
    ]);
  });

  it('shows nothing while the apiserver can’t be asked', async () => {
    const source = pageSourceOf(fleetOf(3), {
      listen: ':8082',
      reviewer: () => ({ create: () => Promise.reject(new Error('forbidden: canary')) }),
    });
    const answer = await statusPage(source)['/']?.(new URLSearchParams(), '', { authorization: 'Bearer good' });
    expect(answer?.status).toBe(503);
    expect(answer?.body).not.toMatch(/truck|canary/);
  });
});
