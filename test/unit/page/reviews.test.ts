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

/** An apiserver that knows tokens beginning with `good`, of that user, and lets them list in these namespaces. */
function apiserver(namespaces: ReadonlySet<string>, username = (_token: string) => 'kai') {
  const asked: string[] = [];
  const tokenStatus = (token: string) => ({
    authenticated: token.startsWith('good'),
    user: {
      username: token.startsWith('good') ? username(token) : '',
      extra: { 'authentication.kubernetes.io/credential-id': [token], example: ['same'] },
    },
  });
  return {
    asked,
    create: <T>(resource: Resource, _namespace: string | undefined, object: object): Promise<T> => {
      const { spec } = review.parse(object);
      asked.push(resource.kind);
      const status =
        resource.kind === 'TokenReview'
          ? tokenStatus(spec.token ?? '')
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

  it('finds the one namespace of a tenant among a thousand, and goes on showing it', async () => {
    const clock = new ManualClock();
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}`);
    const reviews = createReviews(() => apiserver(new Set(['n999'])), clock);
    const user = await reviews.userOf('good');
    if (!user) throw new Error('nobody');
    const seen: [boolean, boolean][] = [];
    for (let look = 0; look < 12; look++) {
      const sight = await reviews.sightOf(user, names.map(sims));
      seen.push([sight.sees('Sim', 'n999'), sight.isPartial]);
      await clock.advance(10_000);
    }
    const [untold, told] = [
      [false, true],
      [true, false],
    ];
    expect(seen).toEqual([untold, untold, untold, ...Array.from({ length: 9 }, () => told)]);
  });

  it('is not asked anew for each token that somebody makes, nor because of tokens of nobody', async () => {
    const server = apiserver(new Set(['fleet']));
    const reviews = createReviews(() => server, new ManualClock());
    for (const token of ['good-1', 'good-2']) {
      const user = await reviews.userOf(token);
      if (user) await reviews.sightOf(user, [sims('fleet')]);
    }
    const rights = server.asked.filter((kind) => kind === 'SubjectAccessReview').length;
    expect(rights).toBe(6 + 1);
    for (let index = 0; index < 1001; index++) await reviews.userOf(`bad-${index}`);
    const before = server.asked.length;
    await reviews.userOf('good-1');
    expect(server.asked.length).toBe(before);
  });

  it.each([
    ['one user', (token: string) => (token === 'good-other' ? 'kai' : 'ren')],
    [
      'ServiceAccounts of one namespace',
      (token: string) => `system:serviceaccount:${token === 'good-other' ? 'fleet:kai' : `tenant:${token}`}`,
    ],
  ])('who asks for a hundred pages at once, as %s, keeps nobody else out', async (_, username) => {
    const server = apiserver(new Set(['fleet']), username);
    const page = statusPage(pageSourceOf(fleetOf(1000), { listen: ':8082', reviewer: () => server }))['/'];
    const order: string[] = [];
    const ask = async (token: string) => {
      const answer = await page?.(new URLSearchParams(), '', { authorization: `Bearer ${token}` });
      order.push(`${token.replace(/-\d+$/, '')} ${answer?.status}`);
    };
    await Promise.all([...Array.from({ length: 100 }, (__, index) => ask(`good-${index}`)), ask('good-other')]);
    expect(order.filter((one) => one === 'good 200').length).toBe(10);
    expect(order.filter((one) => one === 'good 503').length).toBe(90);
    // After the two that were being made, and one that stood in the line before.
    expect(order.filter((one) => one.endsWith('200')).indexOf('good-other 200')).toBeLessThanOrEqual(4);
    expect(order).toContain('good-other 200');
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
