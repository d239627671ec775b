import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const GATEWAY = { id: '113300002001', name: 'depot', zone: 'is1b' } as const;
const SIM = { id: '113300003001', iccid: '8981040000000000001', name: 'truck', activated: true };
const KDDI = { name: 'KDDI', allow: true } as const;
const softBank = (allow: boolean) => ({ name: 'SoftBank', allow }) as const;

/**
 * Somebody changes at the service what no list shows and no spec names, and then the spec names it, as it was before: what
 * was read before that is no proof that it is so.
 */
it.each([
  {
    plural: 'webaccelsites',
    manifest: { kind: 'WebAccelSite', spec: { domain: SITE.domain, vary: false } },
    edit: { sites: { [SITE.domain]: { settings: { CORSRules: [{ AllowsAnyOrigin: true }] } } } },
    wanted: { cors: {} },
    method: 'PUT',
  },
  {
    plural: 'mobilegateways',
    manifest: { kind: 'MobileGateway', spec: { zone: GATEWAY.zone, resourceID: GATEWAY.id } },
    edit: { gateways: { [GATEWAY.name]: { dns: { primary: '9.9.9.9', secondary: '149.112.112.112' } } } },
    wanted: { dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } },
    method: 'PUT',
  },
  {
    plural: 'sims',
    manifest: { kind: 'Sim', spec: { iccid: SIM.iccid, activated: true, carriers: [KDDI] } },
    edit: {
      sims: {
        [SIM.iccid]: {
          carriers: [KDDI, softBank(true)],
        },
      },
    },
    wanted: { carriers: [KDDI, softBank(false)] },
    method: 'PUT',
  },
])('what a spec newly wants of $plural is looked at once more', async ({ plural, manifest, edit, wanted, method }) => {
  const fleet = createVirtualFleet({
    seeds: {
      fleet: {
        sites: [SITE],
        gateways: [{ ...GATEWAY, dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } }],
        sims: [{ ...SIM, carriers: [KDDI, softBank(false)] }],
      },
    },
  });
  const { world } = fleet;
  world.start('operator');
  fleet.create(`${GROUP}/${plural}`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    metadata: { name: 'one' },
    ...manifest,
  });
  await world.run(120 * SECOND);
  expect([...fleet.waiting('fleet', plural)]).toEqual([]);
  world.service.edit(edit);
  const sent: string[] = [];
  world.onMessage((moment, { to, verb, route }) => {
    if (to === 'service' && verb === method && moment === 'arrived') sent.push(route);
  });
  fleet.patch(`${GROUP}/${plural}/one`, { spec: wanted });
  await world.run(world.now() + 10 * SECOND);
  expect(sent).toHaveLength(1);
  expect([...fleet.waiting('fleet', plural)]).toEqual([]);
});

/** How often settings are read in ten minutes in which a field of a dozen specs comes and goes, which never needs a step. */
async function readingsOf(everySeconds: number): Promise<number> {
  const names = Array.from({ length: 12 }, (_, number) => `s${number}`);
  const sites = names.map((name, number) => ({
    id: String(113_300_002_000 + number),
    name,
    domain: `${name}.example.jp`,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { sites } } });
  const { world } = fleet;
  world.start('operator');
  for (const { name, domain } of sites) {
    const manifest = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name } };
    fleet.create(`${GROUP}/webaccelsites`, { ...manifest, spec: { domain, vary: false } });
  }
  await world.run(600 * SECOND);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
  let readings = 0;
  world.onMessage((moment, { to, route }) => {
    if (to === 'service' && moment === 'arrived' && route === 'GET webaccel/site/:id') readings++;
  });
  const end = world.now() + 600 * SECOND;
  for (let flips = 1; world.now() < end; flips++) {
    const cors = flips % 2 === 1 ? {} : null;
    if (everySeconds > 0) for (const name of names) fleet.patch(`${GROUP}/webaccelsites/${name}`, { spec: { cors } });
    await world.run(world.now() + (everySeconds || 600) * SECOND);
  }
  return readings;
}

it('specs that change again and again do not use up the hour with looks', async () => {
  expect((await readingsOf(5)) - (await readingsOf(0))).toBeLessThanOrEqual(10);
});
