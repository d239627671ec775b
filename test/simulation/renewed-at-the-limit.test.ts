import { expect, it } from 'vitest';
import * as z from 'zod';
import { certificateNamed } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

/** Certificates that are renewed where changes have used up all of the hour that is theirs, and go on. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/good';
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const RENEWED = 8;
const SITES = Array.from({ length: 24 }, (_, index) => ({
  id: String(113_300_002_000 + index),
  name: `e${index}`,
  domain: `e${index}.example.jp`,
}));
/** Those that are changed; their certificates are not. */
const CHANGED = SITES.slice(0, 9);

const certificateSchema = z.object({ current: z.object({ sha256Fingerprint: z.string() }).optional() });
const budgetSchema = z.object({ budget: z.object({ used: z.number() }) });

/** Up to the moment in which they are renewed. `shown`: so many sites are in the list. */
async function play(shown: number) {
  const fleet = createVirtualFleet({ seeds: { good: { sites: SITES } }, settings: { siteCountLimit: shown } });
  const { world } = fleet;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secretOf = (name: string) => {
    const { chain, key } = certificateNamed(name);
    return { type: 'kubernetes.io/tls', data: { 'tls.crt': base64(chain), 'tls.key': base64(key) } };
  };
  const manifest = (kind: string, name: string, spec: object) => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind,
    metadata: { name },
    spec,
  });
  for (const { name, domain } of CHANGED) {
    fleet.create(`${GROUP}/webaccelsites`, manifest('WebAccelSite', name, { domain, displayName: name }));
  }
  fleet.create('/api/v1/namespaces/good/secrets', { metadata: { name: 'tls' }, ...secretOf('wildcard-1') });
  const certificates = SITES.slice(-RENEWED);
  for (const { id, name } of certificates) {
    const spec = { siteID: id, secretRef: { name: 'tls' } };
    fleet.create(`${GROUP}/sitecertificates`, manifest('SiteCertificate', name, spec));
  }
  const operator = world.start('operator');
  await world.run(70 * MINUTE);
  expect(fleet.waiting('good', 'sitecertificates')).toEqual(new Set());
  let second = 0;
  async function pass(seconds: number): Promise<void> {
    for (let end = second + seconds; second < end; second++) {
      for (const { name } of CHANGED) {
        fleet.patch(`${GROUP}/webaccelsites/${name}`, { spec: { displayName: `${name} ${second}` } });
      }
      await world.run(world.now() + SECOND);
    }
  }
  const isThere = ({ name }: (typeof certificates)[number]) =>
    certificateSchema.parse(fleet.read(`${GROUP}/sitecertificates/${name}`).status).current?.sha256Fingerprint ===
    certificateNamed('wildcard-2').fingerprint;
  await pass(180);
  return {
    world,
    operator,
    pass,
    used: () => budgetSchema.parse(fleet.read(ACCOUNT).status).budget.used,
    renew: () => fleet.patch('/api/v1/namespaces/good/secrets/tls', secretOf('wildcard-2')),
    there: () => certificates.filter(isThere).length,
  };
}

it.each([1000, 10])(
  'eight at once are there within seconds, of %i sites that the list shows',
  async (shown) => {
    const { pass, renew, there, used } = await play(shown);
    expect(used()).toBe(480);
    renew();
    await pass(15);
    expect(there()).toBe(RENEWED);
  },
  120_000,
);

it.each([300, 1500])(
  'eight of which some are there when the operator is killed, %i ms later, are after it',
  async (after) => {
    const { world, operator, pass, renew, there } = await play(1000);
    renew();
    await world.run(world.now() + after);
    operator.kill(SECOND);
    await pass(240);
    expect(there()).toBe(RENEWED);
  },
  120_000,
);

it('an operator that is killed again and again leaves them their part', async () => {
  const { operator, pass, renew, there, used } = await play(1000);
  for (let time = 0; time < 10; time++) {
    operator.kill(SECOND);
    await pass(20);
  }
  expect(used()).toBe(480);
  renew();
  await pass(240);
  expect(there()).toBe(RENEWED);
}, 120_000);
