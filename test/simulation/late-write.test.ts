import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites';
const SECRET = '/api/v1/namespaces/fleet/secrets/once';
const data = (text: string) => ({ data: { key: Buffer.from(text).toString('base64') } });
const oneTimeURLSecretRef = { name: 'once', key: 'key' };

/** A site that is as its spec says, and whose next write arrives late: after the next change, with which `edit` is called. */
async function whereAWriteIsLate(
  spec: object,
  { late, isKilled }: { readonly late: number; readonly isKilled: boolean },
  change: (fleet: VirtualFleet) => void,
  edit: (fleet: VirtualFleet) => void,
): Promise<VirtualFleet> {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE] } } });
  const { world } = fleet;
  const operator = world.start('operator');
  fleet.create('/api/v1/namespaces/fleet/secrets', { metadata: { name: 'once' }, ...data('one-time-secret-one') });
  fleet.create(GROUP, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: SITE.domain, ...spec },
  });
  await world.run(120 * SECOND);
  const isWrite = ({ to, route }: Message) => to === 'service' && route.startsWith('PUT ');
  world.arm({
    to: 'service',
    fits: isWrite,
    count: 1,
    skip: 0,
    fault: 'delayed-arrival',
    milliseconds: late,
  });
  const isSent = atFirst(world, 'written', isWrite, () => isKilled && operator.kill(500));
  change(fleet);
  await world.run(world.now() + 60 * SECOND, isSent);
  edit(fleet);
  await world.run(world.now() + 7200 * SECOND);
  expect([isSent(), [...fleet.waiting('fleet', 'webaccelsites')]]).toEqual([true, []]);
  return fleet;
}

const cases = [1000, 3000].flatMap((late) => [false, true].map((isKilled) => ({ late, isKilled })));

/** The service, or a proxy before it, may hold a request for minutes; what it shows is put right at the next look. */
const held = [10_000, 30_000, 120_000].flatMap((late) => [false, true].map((isKilled) => ({ late, isKilled })));

describe('a write of a site that arrives late, after its spec was changed again', () => {
  it.each([...cases, ...held])('does not win: $late ms, killed $isKilled', async (how) => {
    const sent: string[] = [];
    const fleet = await whereAWriteIsLate(
      { oneTimeURLSecretRef },
      how,
      ({ patch, world }) => {
        world.service.onChange(({ body }) => void sent.push(JSON.stringify(body)));
        patch(SECRET, data('one-time-secret-two'));
      },
      ({ patch }) => patch(SECRET, data('one-time-secret-three')),
    );
    expect(sent.at(-1)).toContain('one-time-secret-three');
    expect(fleet.world.service.world('fleet').sites.size).toBe(1);
  });

  it.each(cases)('leaves nothing of a setting that is no longer in it: $late ms, killed $isKilled', async (how) => {
    const before = { vary: true };
    const fleet = await whereAWriteIsLate(
      before,
      how,
      ({ patch }) => patch(`${GROUP}/www`, { spec: { defaultCacheTTL: 100 } }),
      ({ patch }) => patch(`${GROUP}/www`, { spec: { defaultCacheTTL: null } }),
    );
    const { settings } = fleet.world.service.world('fleet').sites.get(SITE.id) ?? {};
    expect(settings?.['DefaultCacheTTL']).not.toBe(100);
  });

  it.each([...cases, ...held])('leaves no secret that is no longer in it: $late ms, killed $isKilled', async (how) => {
    const fleet = await whereAWriteIsLate(
      { vary: true },
      how,
      ({ patch }) => patch(`${GROUP}/www`, { spec: { oneTimeURLSecretRef } }),
      ({ patch }) => patch(`${GROUP}/www`, { spec: { oneTimeURLSecretRef: null } }),
    );
    expect(JSON.stringify(fleet.world.service.world('fleet').sites.get(SITE.id))).not.toContain('one-time-secret');
  });
});

it.each([
  { title: 'while its Secret is not there', isGone: true },
  { title: 'while the Secret lacks the key', isGone: false },
])('a secret whose write was not answered is not taken for the one before $title', async ({ isGone }) => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE] } } });
  const { world } = fleet;
  world.start('operator');
  const secret = { metadata: { name: 'once' }, ...data('one-time-secret-one') };
  fleet.create('/api/v1/namespaces/fleet/secrets', secret);
  fleet.create(GROUP, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: SITE.domain, oneTimeURLSecretRef },
  });
  await world.run(120 * SECOND);
  const isWrite = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
  world.arm({ to: 'service', fits: isWrite, count: 1, fault: 'lost-answer' });
  const isLost = atFirst(world, 'arrived', isWrite, () => {
    if (isGone) world.apiserver.handle({ method: 'DELETE', path: SECRET, user: 'user' });
    else fleet.patch(SECRET, { data: { key: null } });
  });
  fleet.patch(SECRET, data('one-time-secret-two'));
  await world.run(world.now() + 300 * SECOND);
  if (isGone) fleet.create('/api/v1/namespaces/fleet/secrets', secret);
  else fleet.patch(SECRET, data('one-time-secret-one'));
  const sent: string[] = [];
  world.service.onChange(({ body }) => void sent.push(JSON.stringify(body)));
  await world.run(world.now() + 600 * SECOND);
  expect([isLost(), [...fleet.waiting('fleet', 'webaccelsites')]]).toEqual([true, []]);
  expect(sent.at(-1)).toContain('one-time-secret-one');
});
