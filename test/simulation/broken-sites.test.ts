import { expect, it } from 'vitest';
import type { Fault } from '../../src/shadow/service/faults.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

const MINUTE = 60_000;
const SITES = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites';
const BROKEN = 20;
const names = Array.from({ length: BROKEN + 4 }, (_, index) => `s${index}`);
const seeds = names.map((name, index) => ({ id: String(113_300_010_001 + index), name, domain: `${name}.example.jp` }));
const brokenIDs = new Set(seeds.slice(0, BROKEN).map(({ id }) => id));
const isOfBroken = ({ target }: Message) => brokenIDs.has(/site\/(\d+)/.exec(target)?.[1] ?? '');

const ofAny: readonly Fault[] = ['locked', 'internal error', 'unavailable', 'not found by a proxy, in JSON'];
const ofReads: readonly Fault[] = ['conflict', 'forbidden', 'garbage'];
const cases = [
  ...['PUT webaccel/site/:id', 'PUT webaccel/site/:id/acl'].flatMap((route) =>
    ofAny.map((fault) => ({ route, fault })),
  ),
  ...['GET webaccel/site/:id', 'GET webaccel/site/:id/acl'].flatMap((route) =>
    [...ofAny, ...ofReads].map((fault) => ({ route, fault })),
  ),
];

it.each(cases)(
  'twenty sites for which $route is answered with "$fault" take a fifth of the hour, and keep no other waiting',
  async ({ route, fault }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
    const { world } = fleet;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const change = (name: string, spec: object) => fleet.patch(`${SITES}/${name}`, { spec });
    const waiting = () => fleet.waiting('fleet', 'webaccelsites');
    let requests = 0;
    world.onMessage((moment, message) => {
      if (moment === 'written' && message.to === 'service' && isOfBroken(message)) requests++;
    });
    world.start('operator');
    for (const { id, name } of seeds) {
      const spec = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
      fleet.create(SITES, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
    }
    await letPass(120 * MINUTE);
    requests = 0;
    await letPass(60 * MINUTE);
    const looks = requests;
    const fits = (message: Message) => message.to === 'service' && message.route === route && isOfBroken(message);
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: fault } });
    for (const name of names.slice(0, BROKEN)) {
      change(name, { defaultCacheTTL: 60, accessControl: ['deny 192.0.2.0/24'] });
    }
    // Until each of them was tried.
    await letPass(90 * MINUTE);
    requests = 0;
    for (let edit = 0; edit < 6; edit++) {
      change(names[BROKEN + (edit % 4)] ?? '', { defaultCacheTTL: 100 + edit });
      await letPass(2 * MINUTE);
      expect(waiting().size).toBe(BROKEN);
      await letPass(8 * MINUTE);
    }
    // A fifth of 500, beside what is looked at now and then, and what was in the middle of it.
    expect(requests).toBeLessThanOrEqual(looks + 100 + 25);
    world.calm();
    await letPass(10 * MINUTE);
    expect(waiting().size).toBe(0);
  },
);
