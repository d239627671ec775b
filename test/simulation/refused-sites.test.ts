import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

const HOUR = 3_600_000;
const SITES = `/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites`;
const seeds = Array.from({ length: 70 }, (_, index) => ({
  id: String(113_300_010_001 + index),
  name: `s${index}`,
  domain: `s${index}.example.jp`,
}));
const refused = seeds.slice(0, 60);

/** Seventy sites, all as their specs say. */
async function createSettled() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
  const { world } = fleet;
  const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
  world.start('operator');
  for (const { id, name } of seeds) {
    const spec = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
    fleet.create(SITES, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
  }
  await letPass(HOUR);
  return { fleet, world, letPass };
}

it('sites whose change is refused again and again leave the others of the account their part of the hour', async () => {
  const { fleet, world, letPass } = await createSettled();
  const idOf = ({ target }: Message) => /site\/(\d+)/.exec(target)?.[1] ?? '';
  const isPut = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
  const fits = (message: Message) => isPut(message) && refused.some(({ id }) => id === idOf(message));
  world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'conflict' } });
  for (const { name } of refused) fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR);
  let tries = 0;
  let statuses = 0;
  const reads = new Map<string, number>();
  world.onMessage((moment, message) => {
    if (moment !== 'written') return;
    if (isPut(message)) tries++;
    if (message.route === 'patch webaccelsites/status') statuses++;
    if (message.route === 'GET webaccel/site/:id') reads.set(idOf(message), (reads.get(idOf(message)) ?? 0) + 1);
  });
  await letPass(4 * HOUR);
  // A fifth of 500 an hour, and what was in the middle of it.
  expect(tries).toBeLessThanOrEqual(4 * 100 + 60);
  expect(statuses).toBeLessThanOrEqual(4 * tries);
  expect(Math.min(...seeds.map(({ id }) => reads.get(id) ?? 0))).toBeGreaterThanOrEqual(2);
  world.calm();
  await letPass(HOUR);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
});

it('sites that were refused once, long ago, delay nothing', async () => {
  const { fleet, world, letPass } = await createSettled();
  const fits = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
  world.arm({ to: 'service', fits, count: 60, fault: { service: 'conflict' } });
  for (const { name } of refused) fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
  world.arm({ to: 'service', fits, count: 4, fault: { service: 'conflict' } });
  fleet.patch(`${SITES}/s65`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR / 20);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
});
