import { expect, it } from 'vitest';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';
import { GROUP, letPass, on, SECOND } from './gateway-fleet.ts';

const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp', settings: { Origin: 'o.example.jp' } };
const SECRETS = '/api/v1/namespaces/fleet/secrets';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const objectStorage = {
  bucket: 'b',
  endpoint: 's3.example.jp',
  region: 'jp-north-1',
  credentialsSecretRef: { name: 'keys' },
};

interface Kept {
  readonly what: string;
  readonly spec: object;
  readonly data: (name: string) => object;
  /** Whose the service has. */
  readonly current: (fleet: VirtualFleet, sent: readonly string[]) => unknown;
}

const secrets: readonly Kept[] = [
  {
    what: 'a one-time URL secret',
    spec: { oneTimeURLSecretRef: { name: 'keys', key: 'key' } },
    data: (name) => ({ key: base64(name) }),
    current: (fleet) => fleet.world.service.world('fleet').sites.get(SITE.id)?.oneTimeURLSecrets?.[0],
  },
  {
    what: 'the keys of an origin',
    spec: { origin: { objectStorage } },
    data: (name) => ({ accessKeyID: base64(name), secretAccessKey: base64(`${name}-secret`) }),
    // The service shows none.
    current: (_, sent) => sent.at(-1),
  },
];

it.each(secrets.flatMap((one) => [true, false].map((isRestarted) => ({ ...one, isRestarted }))))(
  '$what that was repeated, and arrives after it was answered, is not in force after the next (restarted: $isRestarted)',
  async ({ spec, data, current, isRestarted }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE] } } });
    const { world } = fleet;
    const operator = world.start('operator');
    fleet.create(SECRETS, { metadata: { name: 'keys' }, data: data('first') });
    fleet.create(`${GROUP}/webaccelsites`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name: 'www' },
      spec: { siteID: SITE.id, managementPolicy: 'Manage' },
    });
    await letPass(fleet, 300);
    const fits = on('PUT webaccel/site/:id');
    const sent: string[] = [];
    world.onMessage((moment, message) => {
      const key = /AccessKeyID":"([^"]*)/.exec(message.body ?? '')?.[1];
      if (moment === 'arrived' && fits(message) && key !== undefined) sent.push(key);
    });
    world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: 170 * SECOND });
    fleet.patch(`${GROUP}/webaccelsites/www`, { spec });
    await letPass(fleet, 30);
    if (isRestarted) operator.kill(5 * SECOND);
    await letPass(fleet, 30);
    fleet.patch(`${SECRETS}/keys`, { data: data('second') });
    await letPass(fleet, 6 * 3600);
    expect([current(fleet, sent), [...fleet.waiting('fleet', 'webaccelsites')]]).toEqual(['second', []]);
  },
);
