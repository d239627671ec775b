import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pathOf = (namespace: string, plural: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}`;

/** A resource has a site with its one-time URL secret, is abandoned, and another sets its own secret, of which the service shows nothing. */
async function createTakenSite({ isStatusRefused = false } = {}) {
  const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, one: {}, other: {} }, shared: 'edge' });
  const { world } = fleet;
  const operator = world.start('operator');
  const path = (namespace: string) => `${pathOf(namespace, 'webaccelsites')}/www`;
  const create = (namespace: string) => {
    const data = { once: base64(`once-of-${namespace}`) };
    fleet.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'once' }, data });
    fleet.create(pathOf(namespace, 'webaccelsites'), {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name: 'www' },
      spec: { siteID: SITE.id, oneTimeURLSecretRef: { name: 'once', key: 'once' } },
    });
  };
  const live = async (seconds: number) => {
    await world.run(world.now() + seconds * SECOND);
    return {
      secrets: world.service.world('edge').sites.get(SITE.id)?.oneTimeURLSecrets,
      reason: fleet.read(path('one')).status.conditions[0]?.reason,
    };
  };
  const abandon = (value: 'true' | null) =>
    fleet.patch(path('one'), { metadata: { annotations: { 'edgeline.dev/abandon': value } } });

  create('one');
  expect(await live(60)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
  const { status } = fleet.read(path('one'));
  const isStatus = ({ route, target }: Message) => route === 'patch webaccelsites/status' && target.includes('/one/');
  if (isStatusRefused) world.arm({ to: 'kubernetes', fits: isStatus, count: 1000, fault: { kubernetes: 403 } });
  abandon('true');
  await live(10);
  create('other');
  const reason = isStatusRefused ? 'Available' : 'Abandoned';
  expect(await live(120)).toEqual({ secrets: ['once-of-other'], reason });
  world.calm();
  return {
    operator,
    live,
    takeBack: () => abandon(null),
    giveUp: () => abandon('true'),
    /** The account gets one of its two tokens at the service. */
    exchange(token: 'edge' | 'edge-2') {
      const data = { accessToken: base64(`token-${token}`), accessTokenSecret: base64(`secret-${token}`) };
      fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data });
    },
    restoreStatus: () => fleet.patch(`${path('one')}/status`, { status }),
    deleteOther: () => world.apiserver.handle({ method: 'DELETE', path: path('other'), user: 'user' }),
  };
}

it.each(['while the operator runs', 'after a restart'])(
  'a site that was abandoned, and had by another resource meanwhile, gets its one-time URL secret again when it is taken back %s',
  async (when) => {
    const { operator, live, takeBack, deleteOther } = await createTakenSite();
    deleteOther();
    await live(120);
    if (when.includes('restart')) operator.kill(SECOND);
    takeBack();
    expect(await live(120)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
  },
);

it('and so does one whose status of before was put back', async () => {
  const { operator, live, takeBack, restoreStatus, deleteOther } = await createTakenSite();
  operator.kill(10 * SECOND);
  restoreStatus();
  takeBack();
  expect(await live(120)).toEqual({ secrets: ['once-of-other'], reason: 'AlreadyManaged' });
  deleteOther();
  expect(await live(120)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
});

it('and so does one whose status could not say so', async () => {
  const { operator, live, takeBack, deleteOther } = await createTakenSite({ isStatusRefused: true });
  operator.kill(10 * SECOND);
  deleteOther();
  takeBack();
  expect(await live(120)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
});

it('and so does one that another resource got while no seal could be told, when it comes back from that', async () => {
  const { operator, live, takeBack, giveUp, exchange } = await createTakenSite();
  takeBack();
  expect(await live(120)).toEqual({ secrets: ['once-of-other'], reason: 'AlreadyManaged' });
  operator.kill(10 * SECOND);
  exchange('edge-2');
  expect(await live(120)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
  // With the token of before, what the other has on record is what it would send.
  exchange('edge');
  expect(await live(600)).toEqual({ secrets: ['once-of-one'], reason: 'Available' });
  giveUp();
  expect(await live(120)).toEqual({ secrets: ['once-of-other'], reason: 'Abandoned' });
});
