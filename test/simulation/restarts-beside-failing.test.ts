import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

/** An operator that is killed again and again, where the service has failed many sites for hours. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;

it.each([
  { namespaces: 12, each: 5, minutes: 15, most: 350 },
  { namespaces: 1, each: 60, minutes: 5, most: 350 },
])(
  'what fails leaves of each hour what others need, and is done within twenty minutes of its end: $namespaces namespaces of $each sites, killed each $minutes minutes',
  async ({ namespaces, each, minutes, most }) => {
    const names = Array.from({ length: namespaces }, (_, index) => `n${index}`);
    const all = [...names.flatMap((name) => Array.from({ length: each }, () => name)), 'here'].map(
      (namespace, index) => {
        const name = `s${index}`;
        return { namespace, name, site: { id: String(113_300_010_000 + index), name, domain: `${name}.example.jp` } };
      },
    );
    const sites = all.map(({ site }) => site);
    const seeds = { here: { sites }, ...Object.fromEntries(names.map((name) => [name, {}])) };
    const fleet = createVirtualFleet({ seeds, shared: 'here' });
    const { world } = fleet;
    const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
    const pathOf = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/webaccelsites`;
    const change = ({ namespace, name }: (typeof all)[number], defaultCacheTTL: number) =>
      fleet.patch(`${pathOf(namespace)}/${name}`, { spec: { defaultCacheTTL } });
    const operator = world.start('operator');
    for (const { namespace, name, site } of all) {
      fleet.create(pathOf(namespace), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name },
        spec: { siteID: site.id, managementPolicy: 'Manage', defaultCacheTTL: 0 },
      });
    }
    await letPass(120 * MINUTE);
    const sound = all.filter(({ namespace }) => namespace === 'here');
    const broken = all.filter(({ namespace }) => namespace !== 'here');
    const ids = new Set(broken.map(({ site }) => site.id));
    const fits = ({ route, target }: Message) =>
      route === 'PUT webaccel/site/:id' && ids.has(/site\/(\d+)/.exec(target)?.[1] ?? '');
    world.arm({ to: 'service', fits, count: 1e9, skip: 0, fault: { service: 'internal error' } });
    broken.forEach((one) => change(one, 60));
    await letPass(240 * MINUTE);
    let sent = 0;
    world.onMessage((moment, { to, route }) => {
      if (moment === 'arrived' && to === 'service' && route.includes('webaccel')) sent++;
    });
    for (let hour = 0; hour < 2; hour++) {
      sent = 0;
      for (let time = 0; time < 60 / minutes; time++) {
        operator.kill(5 * SECOND);
        await letPass(2 * MINUTE);
        sound.forEach((one) => change(one, 100 + 60 * hour + time));
        await letPass(2 * MINUTE);
        expect([...fleet.waiting('here', 'webaccelsites')]).toEqual([]);
        await letPass((minutes - 4) * MINUTE);
      }
      expect(sent).toBeLessThan(most);
    }
    world.calm();
    await letPass(20 * MINUTE);
    expect(names.flatMap((name) => [...fleet.waiting(name, 'webaccelsites')])).toEqual([]);
  },
);
