import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
const pathOf = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/webaccelsites`;
const cases = ['abandoned', 'deleted'].flatMap((ending) => [20, 60, 150].map((late) => ({ ending, late })));

it.each(cases)(
  'a one-time URL secret that arrives $late s late, of a resource that is $ending meanwhile, does not replace that of the next',
  async ({ ending, late }) => {
    const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, one: {}, other: {} }, shared: 'edge' });
    const { world } = fleet;
    const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
    const once = (value: string) => ({ once: Buffer.from(value).toString('base64') });
    const create = (namespace: string) => {
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      fleet.create(secrets, { metadata: { name: 'once' }, data: once(`once-of-${namespace}`) });
      fleet.create(pathOf(namespace), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name: 'www' },
        spec: { siteID: SITE.id, oneTimeURLSecretRef: { name: 'once', key: 'once' } },
      });
    };
    world.start('operator');
    create('one');
    await letPass(60);
    create('other');
    await letPass(60);
    const fits = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
    world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: late * SECOND });
    let isSent = false;
    world.onMessage((moment, message) => {
      isSent ||= moment === 'written' && fits(message);
    });
    fleet.patch('/api/v1/namespaces/one/secrets/once', { data: once('new-of-one') });
    await world.run(world.now() + 60 * SECOND, () => isSent);
    await letPass(0.5);
    const path = `${pathOf('one')}/www`;
    if (ending === 'deleted') world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
    else fleet.patch(path, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
    await letPass(400);
    expect({
      isSent,
      secrets: world.service.world('edge').sites.get(SITE.id)?.oneTimeURLSecrets,
      waiting: [...fleet.waiting('other', 'webaccelsites')],
    }).toEqual({ isSent: true, secrets: ['once-of-other'], waiting: [] });
  },
);
