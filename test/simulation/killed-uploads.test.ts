import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const isUpload = ({ route }: { readonly route: string }) => route === 'PUT webaccel/site/:id/certificate';

/** A site with the certificate a-1 on it by fleet/www, and a namespace `other` whose account has the same token. */
async function createShared() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE] }, other: {} } });
  const { world, create, patch } = fleet;
  patch('/api/v1/namespaces/other/secrets/credentials', {
    data: { accessToken: base64('token-fleet-2'), accessTokenSecret: base64('secret-fleet-2') },
  });
  const make = (namespace: string, name: string) =>
    create(`${GROUP}/${namespace}/sitecertificates`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name },
      spec: { siteID: SITE.id, secretRef: { name: 'www-tls' } },
    });
  for (const namespace of ['fleet', 'other']) {
    create(`/api/v1/namespaces/${namespace}/secrets`, tlsSecret('www-tls', 'a-1'));
  }
  make('fleet', 'www');
  const operator = world.start('operator');
  const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
  await letPass(120);
  return { ...fleet, operator, make, letPass };
}

it.each([
  { to: 'fleet/another', waited: false, killed: true },
  { to: 'fleet/www', waited: false, killed: true },
  { to: 'other/www', waited: false, killed: true },
  { to: 'other/www', waited: false, killed: false },
  { to: 'other/www', waited: true, killed: true },
  { to: 'other/www', waited: true, killed: false },
])(
  'a certificate that reaches its site late is not sent again for who has the site then: $to, that waited: $waited, the operator was killed: $killed',
  async ({ to, waited, killed }) => {
    const { world, operator, make, patch, letPass, waiting } = await createShared();
    const [namespace = '', name = ''] = to.split('/');
    if (waited) make(namespace, name);
    await letPass(120);
    const uploads: string[] = [];
    world.service.onChange(({ route }) => void (isUpload({ route }) && uploads.push(route)));
    world.arm({ to: 'service', fits: isUpload, count: 1, fault: 'delayed-arrival', milliseconds: 25 * SECOND });
    const isSent = atFirst(world, 'written', isUpload);
    for (const one of ['fleet', 'other']) {
      patch(`/api/v1/namespaces/${one}/secrets/www-tls`, { data: tlsSecret('www-tls', 'a-2')['data'] });
    }
    await world.run(world.now() + 60 * SECOND, isSent);
    await letPass(1);
    if (killed) operator.kill(1 * SECOND);
    await letPass(1);
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/fleet/sitecertificates/www`, user: 'user' });
    await letPass(4);
    if (!waited) make(namespace, name);
    await letPass(900);
    expect({ isSent: isSent(), uploads, waiting: [...waiting(namespace, 'sitecertificates')] }).toEqual({
      isSent: true,
      uploads: ['PUT webaccel/site/:id/certificate'],
      waiting: [],
    });
  },
);
