import { expect, it } from 'vitest';
import { certificateNamed, tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113320000009', domain: 'a.example.jp', name: 'a', status: 'enabled' as const };
const pathOf = (namespace: string, plural: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}`;

it.each(['deleted', 'abandoned'])(
  'a certificate that names a site by its ID goes there as soon as the WebAccelSite of another namespace is %s',
  async (ending) => {
    const fleet = createVirtualFleet({ seeds: { edge: { sites: [SITE] }, one: {}, other: {} }, shared: 'edge' });
    const { world } = fleet;
    world.start('operator');
    const meta = { apiVersion: 'edgeline.dev/v1alpha1', metadata: { name: 'www' } };
    fleet.create(pathOf('other', 'webaccelsites'), { ...meta, kind: 'WebAccelSite', spec: { siteID: SITE.id } });
    await world.run(300 * SECOND);
    fleet.create('/api/v1/namespaces/one/secrets', tlsSecret('tls', 'a-1'));
    const spec = { siteID: SITE.id, secretRef: { name: 'tls' } };
    fleet.create(pathOf('one', 'sitecertificates'), { ...meta, kind: 'SiteCertificate', spec });
    await world.run(world.now() + 300 * SECOND);
    const before = fleet.read(`${pathOf('one', 'sitecertificates')}/www`).status.conditions[0]?.reason;
    const path = `${pathOf('other', 'webaccelsites')}/www`;
    if (ending === 'deleted') world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
    else fleet.patch(path, { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } });
    await world.run(world.now() + 30 * SECOND);
    expect({
      before,
      waiting: [...fleet.waiting('one', 'sitecertificates')],
      chain: world.service.world('edge').sites.get(SITE.id)?.current?.chain,
    }).toEqual({ before: 'AlreadyManaged', waiting: [], chain: certificateNamed('a-1').chain });
  },
);

it('a certificate keeps its site while its credentials are refused, though another account has a WebAccelSite of it', async () => {
  const fleet = createVirtualFleet({ seeds: { one: { sites: [SITE] }, other: {} } });
  const { world } = fleet;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const exchange = (namespace: string, token: string) =>
    fleet.patch(`/api/v1/namespaces/${namespace}/secrets/credentials`, {
      data: { accessToken: base64(`token-${token}`), accessTokenSecret: base64(`secret-${token}`) },
    });
  // Another token of the same account at the service.
  exchange('other', 'one-2');
  world.start('operator');
  const meta = { apiVersion: 'edgeline.dev/v1alpha1', metadata: { name: 'www' } };
  const certify = (namespace: string, certificate: string, names: object) => {
    fleet.create(`/api/v1/namespaces/${namespace}/secrets`, tlsSecret('tls', certificate));
    const spec = { ...names, secretRef: { name: 'tls' } };
    fleet.create(pathOf(namespace, 'sitecertificates'), { ...meta, kind: 'SiteCertificate', spec });
  };
  certify('one', 'a-1', { siteID: SITE.id });
  await world.run(300 * SECOND);
  fleet.create(pathOf('other', 'webaccelsites'), { ...meta, kind: 'WebAccelSite', spec: { siteID: SITE.id } });
  certify('other', 'a-2', { siteRef: { name: 'www' } });
  await world.run(world.now() + 600 * SECOND);
  exchange('one', 'wrong');
  await world.run(world.now() + 1800 * SECOND);
  const { conditions } = fleet.read(`${pathOf('other', 'sitecertificates')}/www`).status;
  expect([conditions[0]?.reason, world.service.world('one').sites.get(SITE.id)?.current?.chain]).toEqual([
    'AlreadyManaged',
    certificateNamed('a-1').chain,
  ]);
});
