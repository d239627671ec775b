import { expect, it } from 'vitest';
import { tlsSecret } from './certificates.ts';
import { createTenants, SITE, type Tenants } from './tenants.ts';

const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/evil';
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const [OWN, SHARED] = [base64('token-evil:secret-evil'), base64('token-edge:secret-edge')];
const REFUSED = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    is_fatal: true,
    serial: 'x',
    status: '400 Bad Request',
    error_code: 'bad_request',
    error_msg: 'no',
  }),
};

/**
 * A tenant whose service, of its own, shows the victim's site as one of another time, and who then says that its account is at
 * the service of all: what it asks of the site is refused there.
 */
async function createTenantWithoutSite() {
  let isOwnService = true;
  let victims: string[] = [];
  let asked = 0;
  const tenants: Tenants = createTenants({
    edge: { sites: [SITE] },
    broken(request) {
      const { headers, method, target } = request;
      const isUpload = method !== 'GET' && target.includes('/certificate');
      if (!Object.values(headers).some((value) => value.includes(OWN))) {
        if (target.includes('/certificate')) victims.push(method);
        return undefined;
      }
      if (!isOwnService) {
        asked += Number(target.includes('/certificate'));
        return undefined;
      }
      if (method !== 'GET') return isUpload ? REFUSED : undefined;
      const asTheVictim = Object.entries(headers).map(([name, value]) => [name, value.replace(OWN, SHARED)] as const);
      const answer = tenants.fleet.world.service.handle({ ...request, headers: Object.fromEntries(asTheVictim) });
      if (typeof answer === 'string') return undefined;
      const body = answer.body.replaceAll(/"CreatedAt":"[^"]*"/g, '"CreatedAt":"2020-01-01T00:00:00+09:00"');
      return { ...answer, body };
    },
  });
  const { fleet, create, annotate, letPass } = tenants;
  fleet.world.start('operator');
  fleet.create('/api/v1/namespaces/victim/secrets', tlsSecret('tls', 'a-1'));
  create('victim', 'sitecertificates', 'one', { siteID: SITE.id, secretRef: { name: 'tls' } });
  await letPass(300);
  create('evil', 'cloudaccounts', 'default', {
    baseURL: 'https://evil.example',
    credentialsSecretRef: { name: 'credentials' },
  });
  fleet.create('/api/v1/namespaces/evil/secrets', tlsSecret('tls', 'a-2'));
  create('evil', 'webaccelsites', 'one', { domain: SITE.domain, managementPolicy: 'Observe' });
  await letPass(120);
  create('evil', 'sitecertificates', 'one', { siteRef: { name: 'one' }, secretRef: { name: 'tls' } });
  await letPass(300);
  annotate('evil', 'webaccelsites', 'one', { 'edgeline.dev/paused': 'true' });
  const until = new Date(Date.UTC(2026, 0, 1) + fleet.world.now() + 20 * HOUR).toISOString().replace(/\.\d+Z/, 'Z');
  annotate('evil', 'cloudaccounts', 'default', { 'edgeline.dev/accept-missing-until': until });
  await letPass(30);
  isOwnService = false;
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { baseURL: 'https://service.example' } });
  await letPass(60);
  victims = [];
  return { ...tenants, victims: () => victims, asked: () => asked };
}

it.each([100, 200])(
  'a renewed certificate costs two requests, however often a tenant without the site sends one to it: each %s ms',
  async (each) => {
    const { fleet, victims, asked } = await createTenantWithoutSite();
    const { world } = fleet;
    for (let number = 0; number * each < 60 * SECOND; number++) {
      if (number === 20) fleet.patch('/api/v1/namespaces/victim/secrets/tls', { data: tlsSecret('tls', 'a-2').data });
      fleet.patch(`${GROUP}/sitecertificates/one`, { spec: { allowTemporary: number % 2 === 0 } });
      await world.run(world.now() + each);
    }
    expect([victims(), asked() > 0]).toEqual([['GET', 'PUT'], true]);
  },
);
