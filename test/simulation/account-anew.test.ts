import { describe, expect, it } from 'vitest';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/shop';
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const SECRET = '/api/v1/namespaces/shop/secrets/credentials';
const LIMIT = 60;
const SITES = Array.from({ length: 8 }, (_, index) => ({
  id: String(113_300_002_000 + index),
  name: `e${index}`,
  domain: `e${index}.example.jp`,
}));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The Secret has the token of another account, `shop` or `other`, from now on. */
function exchange(fleet: VirtualFleet, name: string): void {
  const data = { accessToken: base64(`token-${name}`), accessTokenSecret: base64(`secret-${name}`) };
  fleet.patch(SECRET, { data });
}

function createAccount(fleet: VirtualFleet): void {
  fleet.create(`${GROUP}/cloudaccounts`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: {
      baseURL: 'https://service.example',
      credentialsSecretRef: { name: 'credentials' },
      limits: { webAccelRequestsPerHour: LIMIT },
    },
  });
}

const remove = ({ world }: VirtualFleet, path: string) =>
  world.apiserver.handle({ method: 'DELETE', path, user: 'user' });

/** Sites of the namespace that are changed until the hour is used up. */
async function useUp(fleet: VirtualFleet): Promise<void> {
  const { world } = fleet;
  for (const { name, domain } of SITES) {
    fleet.create(`${GROUP}/webaccelsites`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name },
      spec: { domain, displayName: name },
    });
  }
  for (let minute = 0; minute < 6; minute++) {
    await world.run(world.now() + MINUTE);
    for (const { name } of SITES) fleet.patch(`${GROUP}/webaccelsites/${name}`, { spec: { displayName: `${minute}` } });
  }
  await world.run(world.now() + MINUTE);
}

describe('the hour of an account goes on in another process when, in between,', () => {
  it.each([
    ['it is deleted and made anew', async (fleet: VirtualFleet) => void remove(fleet, ACCOUNT)],
    [
      'its finalizer is taken off and it is deleted and made anew',
      async (fleet: VirtualFleet) => {
        remove(fleet, ACCOUNT);
        fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
      },
    ],
    ['its token is exchanged and put back', async (fleet: VirtualFleet) => exchange(fleet, 'other')],
  ])('%s', async (_, leave) => {
    const sent: number[] = [];
    const fleet = createVirtualFleet({
      seeds: { shop: { sites: SITES }, other: {} },
      limits: { webAccelRequestsPerHour: LIMIT },
      broken({ target, headers }) {
        const isOfShop = headers['authorization'] === `Basic ${base64('token-shop:secret-shop')}`;
        if (target.includes('/webaccel/') && isOfShop) sent.push(fleet.world.now());
        return undefined;
      },
    });
    const { world } = fleet;
    const first = world.start('first');
    await useUp(fleet);
    for (const { name } of SITES) remove(fleet, `${GROUP}/webaccelsites/${name}`);
    await world.run(world.now() + MINUTE);
    await leave(fleet);
    await world.run(world.now() + MINUTE);
    first.stop('never');
    await world.run(world.now() + MINUTE);
    world.start('second');
    await world.run(world.now() + MINUTE);
    exchange(fleet, 'shop');
    if (!world.apiserver.get('cloudaccounts', 'shop', 'default')) createAccount(fleet);
    await useUp(fleet);
    await world.run(world.now() + 90 * MINUTE);
    const most = Math.max(...sent.map((at) => sent.filter((other) => other > at - 60 * MINUTE && other <= at).length));
    expect(most).toBeLessThanOrEqual(LIMIT);
    expect(most).toBeGreaterThan(LIMIT * 0.8);
    expect(fleet.waiting('shop', 'webaccelsites').size).toBe(0);
  });
});
