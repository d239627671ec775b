import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { certificateNamed } from './certificates.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sitecertificates';
const SECRET = '/api/v1/namespaces/fleet/secrets/www-tls';
const UPLOAD = 'PUT webaccel/site/:id/certificate';

const isUpload = ({ route }: { readonly route: string }) => route === UPLOAD;
const base64 = (text: string) => Buffer.from(text).toString('base64');
function secretOf(chain: string, key: string): object {
  return { type: 'kubernetes.io/tls', data: { 'tls.crt': base64(chain), 'tls.key': base64(key) } };
}
function named(name: string): object {
  const { chain, key } = certificateNamed(name);
  return secretOf(chain, key);
}

function make(fleet: VirtualFleet, name: string): void {
  fleet.create(GROUP, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name },
    spec: { siteID: SITE.id, secretRef: { name: 'www-tls' } },
  });
}

/** A certificate on its site. */
async function onItsSite() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: [SITE] } } });
  const { world } = fleet;
  fleet.create('/api/v1/namespaces/fleet/secrets', { metadata: { name: 'www-tls' }, ...named('a-1') });
  make(fleet, 'www');
  const operator = world.start('operator');
  await world.run(120 * SECOND);
  expect([...fleet.waiting('fleet', 'sitecertificates')]).toEqual([]);
  const uploads: string[] = [];
  world.service.onChange(({ route }) => void (route.endsWith('/certificate') && uploads.push(route)));
  return { fleet, operator, uploads };
}

it.each(['www', 'another'])(
  'what is still on its way to a site is not sent again for a resource that is made anew: %s',
  async (name) => {
    const { fleet, uploads } = await onItsSite();
    const { world } = fleet;
    world.arm({
      to: 'service',
      fits: isUpload,
      count: 1,
      skip: 0,
      fault: 'delayed-arrival',
      milliseconds: 25 * SECOND,
    });
    const isSent = atFirst(world, 'written', isUpload);
    fleet.patch(SECRET, named('a-2'));
    await world.run(world.now() + 60 * SECOND, isSent);
    await world.run(world.now() + SECOND);
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/www`, user: 'user' });
    await world.run(world.now() + SECOND);
    make(fleet, name);
    await world.run(world.now() + 900 * SECOND);
    expect([isSent(), uploads, [...fleet.waiting('fleet', 'sitecertificates')]]).toEqual([true, [UPLOAD], []]);
  },
);

it.each(['killed', 'lost-answer'] as const)(
  'a chain that was sent and not answered is put right when the Secret has the one before again: %s',
  async (how) => {
    const { fleet, operator } = await onItsSite();
    const { world } = fleet;
    const { chain, key } = certificateNamed('a-1');
    const end = '-----END CERTIFICATE-----';
    const leaf = `${chain.slice(0, chain.indexOf(end) + end.length)}\n`;
    const isSent = atFirst(world, 'arrived', isUpload, () => how === 'killed' && operator.kill(20 * SECOND));
    if (how === 'lost-answer') world.arm({ to: 'service', fits: isUpload, count: 1, skip: 0, fault: how });
    fleet.patch(SECRET, secretOf(leaf, key));
    await world.run(world.now() + 60 * SECOND, isSent);
    await world.run(world.now() + 2 * SECOND);
    fleet.patch(SECRET, secretOf(chain, key));
    await world.run(world.now() + 3 * 3600 * SECOND);
    const site = JSON.stringify(world.service.world('fleet').sites.get(SITE.id));
    const { current } = world.service.world('fleet').sites.get(SITE.id) ?? {};
    expect(site).toContain('BEGIN CERTIFICATE');
    expect([isSent(), JSON.stringify(current).match(/BEGIN CERTIFICATE/g)?.length]).toEqual([true, 2]);
    expect([...fleet.waiting('fleet', 'sitecertificates')]).toEqual([]);
  },
);
