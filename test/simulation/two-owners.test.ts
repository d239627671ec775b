import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
const GATEWAY = { id: '113300002001', name: 'depot', zone: 'is1b', instanceStatus: 'up' } as const;
const SIM = { id: '113300003001', iccid: iccidOf(1), name: 'truck', activated: true };

const base64 = (text: string) => Buffer.from(text).toString('base64');

const kinds = [
  { kind: 'Sim', plural: 'sims', spec: { iccid: SIM.iccid } },
  { kind: 'MobileGateway', plural: 'mobilegateways', spec: { zone: 'is1b', resourceID: GATEWAY.id } },
  { kind: 'WebAccelSite', plural: 'webaccelsites', spec: { siteID: SITE.id } },
];
const changes = [
  { what: 'nothing else happens', act: 'nothing' },
  { what: 'the older one writes into its status that it has it', act: 'forged' },
  { what: 'the older one copies the seal of the other, too', act: 'copied' },
  { what: 'the older one puts its status of then back', act: 'old' },
  { what: 'the account of that one gets no answers for five minutes', act: 'silent' },
] as const;
const cases = kinds.flatMap((kind) => changes.map((change) => ({ ...kind, ...change })));

it.each(cases)(
  'of two $kind resources with a token each of one account the one that took over what the other gave up keeps it over a restart, and $what',
  async ({ kind, plural, spec, act }) => {
    let isSilent = false;
    const fleet = createVirtualFleet({
      broken({ headers }) {
        const isOne = headers['authorization'] === `Basic ${base64('token-edge:secret-edge')}`;
        return isSilent && isOne ? { status: 500, headers: {}, body: '{}' } : undefined;
      },
      seeds: { edge: { sites: [SITE], sims: [SIM], gateways: [GATEWAY] }, one: {}, other: {} },
    });
    const { world } = fleet;
    const path = (namespace: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}`;
    const exchange = (namespace: string, token: string) =>
      fleet.patch(`/api/v1/namespaces/${namespace}/secrets/credentials`, {
        data: { accessToken: base64(`token-${token}`), accessTokenSecret: base64(`secret-${token}`) },
      });
    exchange('one', 'edge');
    exchange('other', 'edge-2');
    const create = (namespace: string) =>
      fleet.create(path(namespace), {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind,
        metadata: { name: 'mine' },
        spec: { ...spec, displayName: `of-${namespace}` },
      });
    const abandon = (value: 'true' | null) =>
      fleet.patch(`${path('other')}/mine`, { metadata: { annotations: { 'edgeline.dev/abandon': value } } });
    const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
    const reasons = () =>
      Object.fromEntries(
        ['one', 'other'].map((namespace) => [
          namespace,
          fleet.read(`${path(namespace)}/mine`).status.conditions.find(({ type }) => type === 'Ready')?.reason,
        ]),
      );
    const operator = world.start('operator');
    create('other');
    await letPass(120);
    const { status: before } = fleet.read(`${path('other')}/mine`);
    abandon('true');
    await letPass(30);
    create('one');
    await letPass(120);
    abandon(null);
    await letPass(120);
    expect(reasons()).toEqual({ one: 'Available', other: 'AlreadyManaged' });

    operator.kill(10 * SECOND);
    isSilent = act === 'silent';
    if (act === 'old') fleet.patch(`${path('other')}/mine/status`, { status: before });
    if (act === 'forged' || act === 'copied') {
      const { status } = fleet.read(`${path('one')}/mine`);
      const { uid } = fleet.read(`${path('other')}/mine`).metadata;
      const { seal, id, createdAt, ownership, accountRef } = status as Record<string, unknown>;
      const forged = { id, createdAt, ownership, accountRef, uid, ...(act === 'copied' && { seal }) };
      fleet.patch(`${path('other')}/mine/status`, { status: forged });
    }
    await letPass(300);
    isSilent = false;
    await letPass(1800);
    expect(reasons()).toEqual({ one: 'Available', other: 'AlreadyManaged' });
  },
);
