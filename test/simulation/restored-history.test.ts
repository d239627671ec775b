import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

/** Etcd is put back while the operator runs, or somebody writes an older record over a newer. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

it.each([false, true])(
  'a Sim that was deleted, and is back with a restored etcd, is looked after; edited: %s',
  async (isEdited) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
    world.start('operator');
    fleet.createSim('fleet', 'one', 1, { passCodeSecretRef, activated: true });
    fleet.createSim('fleet', 'two', 2, { passCodeSecretRef, activated: true });
    await letPass(900);
    const backup = world.apiserver.backup();
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/one`, user: 'user' });
    await letPass(120);
    expect([world.apiserver.get('sims', 'fleet', 'one'), world.service.world('fleet').sims.size]).toEqual([
      undefined,
      1,
    ]);
    world.apiserver.restore(backup, 'etcd');
    // Nothing tells a watch from before that it is one of another history.
    world.apiserver.advance(1_000_000);
    await letPass(1800);
    if (isEdited) fleet.patch(`${GROUP}/sims/one`, { spec: { imeiLock: '356938035643809' } });
    await letPass(3600);
    const isReady = !fleet.waiting('fleet').has('one');
    const isThere = [...world.service.world('fleet').sims.values()].some(({ iccid }) => iccid === iccidOf(1));
    expect(isReady).toBe(isThere);
  },
);

it.each([
  ['etcd is restored', 'kill', 5],
  ['etcd is restored', 'kill', 300],
  ['etcd is restored', 'stop', 5],
  ['the status of before is put back', 'kill', 5],
  ['the status of before is put back', 'kill', 240],
  ['the status of before is put back', 'stop', 5],
] as const)('the hour is not spent twice: %s, then %s after %s s', async (what, how, wait) => {
  const sites = Array.from({ length: 12 }, (_, index) => ({
    id: String(113_300_002_000 + index),
    name: `e${index}`,
    domain: `e${index}.example.jp`,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { sites } }, limits: { webAccelRequestsPerHour: 60 } });
  const { world } = fleet;
  const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
  const sitePath = `${GROUP}/webaccelsites`;
  for (const { name, domain } of sites) {
    const spec = { domain, displayName: name };
    fleet.create(sitePath, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
  }
  async function rename(round: string): Promise<void> {
    for (let second = 0; second < 20; second++) {
      for (const { name } of sites) {
        fleet.patch(`${sitePath}/${name}`, { spec: { displayName: `${name} ${round} ${second}` } });
      }
      await letPass(1);
    }
  }
  const operator = world.start('operator');
  await letPass(120);
  const backup = world.apiserver.backup();
  const { status } = fleet.read(ACCOUNT);
  await rename('before');
  await letPass(120);
  if (what === 'etcd is restored') {
    world.apiserver.advance(50);
    world.apiserver.restore(backup, 'etcd');
  } else fleet.patch(`${ACCOUNT}/status`, { status });
  await letPass(wait);
  if (how === 'kill') operator.kill(20 * SECOND);
  else operator.stop(20 * SECOND);
  await letPass(60);
  await rename('after');
  await letPass(1200);
  const times = world.service.arrivalTimes('fleet', 'webaccel');
  const usedUntil = (at: number) => times.filter((other) => other > at - 3600 * SECOND && other <= at).length;
  expect(Math.max(...times.map(usedUntil))).toBeLessThanOrEqual(60);
});
