import { expect, it } from 'vitest';
import { certificateNamed, tlsSecret } from './certificates.ts';
import { iccidOf } from './fleet.ts';
import { createTenants, SITE, type Tenants } from './tenants.ts';

/** What somebody tries with a service of their own, which shows what others have, and moves to the shared account with it. */

const OWN_ACCOUNT = {
  baseURL: 'https://service.example',
  credentialsSecretRef: { name: 'credentials' },
};
const GATEWAY = { id: '113300000900', name: 'depot', zone: 'is1b', instanceStatus: 'up' } as const;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Whoever comes with the tenant's own token sees what is in the shared account, made at another time, and no certificate. */
function createImpostor(edge: object, sims = 0): Tenants {
  const [own, shared] = [base64('token-evil:secret-evil'), base64('token-edge:secret-edge')];
  const tenants: Tenants = createTenants({
    edge,
    sims,
    broken(request) {
      const isOwn = Object.values(request.headers).some((value) => value.includes(own));
      if (!isOwn || request.method !== 'GET') return undefined;
      const entries = Object.entries(request.headers).map(([key, value]) => [key, value.replace(own, shared)] as const);
      if (request.target.includes('/certificate')) {
        return { status: 500, headers: { 'content-type': 'application/json' }, body: '{}' };
      }
      const answer = tenants.fleet.world.service.handle({ ...request, headers: Object.fromEntries(entries) });
      if (typeof answer === 'string') return undefined;
      const body = answer.body
        .replaceAll(/"CreatedAt":"[^"]*"/g, '"CreatedAt":"2020-01-01T00:00:00+09:00"')
        .replaceAll('"HasCertificate":false', '"HasCertificate":true');
      return { ...answer, body };
    },
  });
  return tenants;
}

function leaveOwnAccount({ fleet, remove }: Tenants): void {
  const path = '/apis/edgeline.dev/v1alpha1/namespaces/evil/cloudaccounts/default';
  fleet.patch(path, { metadata: { finalizers: [] } });
  remove('evil', 'cloudaccounts', 'default');
}

it.each(['before', 'after', 'never'])(
  'who found a site in an account of their own does not get it in the shared one; its owner has a certificate: %s',
  async (when) => {
    const tenants = createImpostor({ sites: [SITE] });
    const { fleet, create, letPass } = tenants;
    fleet.world.start('operator');
    create('evil', 'cloudaccounts', 'default', OWN_ACCOUNT);
    fleet.create('/api/v1/namespaces/evil/secrets', tlsSecret('tls', 'a-1'));
    fleet.create('/api/v1/namespaces/victim/secrets', tlsSecret('tls', 'a-2'));
    create('evil', 'sitecertificates', 'one', { siteID: SITE.id, secretRef: { name: 'tls' } });
    await letPass(300);
    create('victim', 'webaccelsites', 'one', { domain: SITE.domain, enabled: true });
    const own = { siteRef: { name: 'one' }, secretRef: { name: 'tls' } };
    if (when === 'before') create('victim', 'sitecertificates', 'one', own);
    await letPass(300);
    leaveOwnAccount(tenants);
    await letPass(900);
    if (when === 'after') create('victim', 'sitecertificates', 'one', own);
    await letPass(900);
    const expected = when === 'never' ? undefined : certificateNamed('a-2').chain;
    expect(fleet.world.service.world('edge').sites.get(SITE.id)?.current?.chain).toBe(expected);
    expect([...fleet.waiting('victim', 'sitecertificates')]).toEqual([]);
  },
);

it('who found SIMs in an account of their own does not keep others from exchanging the addresses of those', async () => {
  const { fleet, create, annotate, putStatus, letPass } = createImpostor({ gateways: [GATEWAY] }, 2);
  fleet.world.start('operator');
  create('evil', 'cloudaccounts', 'default', OWN_ACCOUNT);
  for (const index of [0, 1])
    create('evil', 'sims', `s-${index}`, { iccid: iccidOf(index), managementPolicy: 'Observe' });
  await letPass(60);
  create('victim', 'mobilegateways', 'depot', { zone: 'is1b', resourceID: GATEWAY.id });
  for (const index of [0, 1]) {
    const ipAddress = `10.64.0.${index + 1}`;
    create('victim', 'sims', `s-${index}`, { iccid: iccidOf(index), gatewayRef: { name: 'depot' }, ipAddress });
  }
  await letPass(300);
  const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
  for (const index of [0, 1]) annotate('evil', 'sims', `s-${index}`, { 'edgeline.dev/paused': 'true' });
  await letPass(30);
  for (const index of [0, 1]) {
    const write = () =>
      putStatus('evil', 'sims', `s-${index}`, { accountRef, gatewayID: GATEWAY.id, registered: true });
    for (let at = 0; at < 400; at += 5) fleet.world.at(fleet.world.now() + at * 1000, write);
  }
  await letPass(30);
  const pathOf = (name: string) => `/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/${name}`;
  fleet.patch(pathOf('s-0'), { spec: { ipAddress: '10.64.0.2' } });
  fleet.patch(pathOf('s-1'), { spec: { ipAddress: '10.64.0.1' } });
  await letPass(300);
  expect([...fleet.waiting('victim')]).toEqual([]);
});
