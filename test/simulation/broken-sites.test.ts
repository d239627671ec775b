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

const writes = ['PUT webaccel/site/:id', 'PUT webaccel/site/:id/acl'];
const reads = ['GET webaccel/site/:id', 'GET webaccel/site/:id/acl'];
const answers: readonly Fault[] = [
  'conflict',
  'locked',
  'internal error',
  'unavailable',
  'bad gateway',
  'not found by a proxy',
  'not found by a proxy, in JSON',
];
const ofReads: readonly Fault[] = ['forbidden', 'garbage', 'html', 'empty', 'not ok'];
const cases = [
  ...writes.flatMap((route) => answers.map((fault) => ({ route, fault }))),
  ...reads.flatMap((route) => [...answers, ...ofReads].map((fault) => ({ route, fault }))),
];

it.each(cases)(
  'twenty sites that answer each $route with: $fault, take a fifth of the hour, and keep no other waiting',
  async ({ route, fault }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
    const { world } = fleet;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const operator = world.start('operator');
    for (const { id, name } of seeds) {
      const spec = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
      fleet.create(SITES, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
    }
    await letPass(70 * MINUTE);
    const fits = ({ to, route: asked, target }: Message) =>
      to === 'service' && asked === route && brokenIDs.has(/site\/(\d+)/.exec(target)?.[1] ?? '');
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: fault } });
    for (const name of names.slice(0, BROKEN)) {
      fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60, accessControl: ['deny 192.0.2.0/24'] } });
    }
    await letPass(70 * MINUTE);
    const waiting = () => fleet.waiting('fleet', 'webaccelsites');
    let requests = 0;
    const by: Record<string, number> = {};
    const sound: Record<string, number> = {};
    world.onMessage((moment, { to, target, route: r }) => {
      if (moment !== 'written' || to !== 'service') return;
      if (brokenIDs.has(/site\/(\d+)/.exec(target)?.[1] ?? '')) {
        requests++;
        by[r] = (by[r] ?? 0) + 1;
      } else if (r.includes('webaccel')) sound[r] = (sound[r] ?? 0) + 1;
    });
    const slow: string[] = [];
    for (let edit = 0; edit < 6; edit++) {
      const name = names[BROKEN + (edit % 4)] ?? '';
      fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 100 + edit } });
      await letPass(2 * MINUTE);
      if (waiting().has(name)) slow.push(name);
      await letPass(8 * MINUTE);
    }
    const before = waiting().size;
    const counted = { requests, by: JSON.stringify(by), sound: JSON.stringify(sound) };
    world.calm();
    await letPass(10 * MINUTE);
    const left = waiting().size;
    console.log(
      `${route} ${fault}: requests ${counted.requests} slow ${slow.length} before ${before} left ${left} ${counted.by} sound ${counted.sound}`,
    );
    expect(slow).toEqual([]);
    // What is looked at now and then is among them.
    expect(counted.requests).toBeLessThanOrEqual(120);
    expect(left).toBe(0);
    void operator;
  },
);
