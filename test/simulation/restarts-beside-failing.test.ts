import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createSiteFleet, MINUTE, SECOND } from './site-fleet.ts';

/** An operator that is killed again and again, where the service has failed many sites for hours. */

/** Of 500. */
const MOST = 350;

it.each([
  { namespaces: 12, each: 5, minutes: 15 },
  { namespaces: 1, each: 60, minutes: 5 },
])(
  'what fails leaves of each hour what others need, and is done within twenty minutes of its end: $namespaces namespaces of $each sites, killed each $minutes minutes',
  async ({ namespaces, each, minutes }) => {
    const names = Array.from({ length: namespaces }, (_, index) => `n${index}`);
    const { world, waiting, all, letPass, createSites, change } = createSiteFleet([
      'here',
      ...names.flatMap((name) => Array.from({ length: each }, () => name)),
    ]);
    const operator = world.start('operator');
    createSites();
    await letPass(120 * MINUTE);
    const [sound, ...broken] = all;
    if (!sound) throw new Error('there is one');
    const ids = new Set(broken.map(({ site }) => site.id));
    const fits = ({ route, target }: Message) =>
      route === 'PUT webaccel/site/:id' && ids.has(/site\/(\d+)/.exec(target)?.[1] ?? '');
    world.arm({ to: 'service', fits, count: 1e9, skip: 0, fault: { service: 'internal error' } });
    for (const one of broken) change(one, 60);
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
        change(sound, 100 + 60 * hour + time);
        await letPass(2 * MINUTE);
        expect([...waiting('here', 'webaccelsites')]).toEqual([]);
        await letPass((minutes - 4) * MINUTE);
      }
      expect(sent).toBeLessThan(MOST);
    }
    world.calm();
    await letPass(20 * MINUTE);
    expect(names.flatMap((name) => [...waiting(name, 'webaccelsites')])).toEqual([]);
  },
);
