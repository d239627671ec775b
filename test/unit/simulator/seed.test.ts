import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSeed, plantSeed, readSeedFile } from '../../../src/simulator/seed.ts';
import { currentlyUp } from '../../../src/simulator/sim/session.ts';
import { createSimulation, type Simulation } from '../../../src/simulator/simulation.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function planted(seed: unknown): Simulation {
  const parsed = parseSeed(seed);
  const simulation = createSimulation({
    clock: new ManualClock(),
    settings: {},
    accounts: [{ name: 'default', accessToken: 't', accessTokenSecret: 's' }, ...parsed.accounts],
  });
  plantSeed(simulation, parsed);
  return simulation;
}

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'seed-')), 'seed.yaml');
  await writeFile(file, text);
  return file;
}

const gateway = { name: 'g', zone: 'is1a', privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } };

describe('the example seed', () => {
  it('is planted as it says', async () => {
    const simulation = planted(await readSeedFile('deploy/simulator/seed.yaml'));
    const [first, second] = simulation.accounts.map(({ world }) => world);
    const sims = (world = first) => [...(world?.sims.values() ?? [])];
    expect({
      sims: sims().map((sim) => [sim.name, sim.ip, currentlyUp(sim)]),
      others: sims(second).map(({ name }) => name),
      gateways: [...(first?.gateways.values() ?? [])].map(({ name, simRoutes }) => [name, simRoutes.length]),
      sites: [...(first?.sites.values() ?? [])].map(({ domainType, settings }) => [domainType, settings.OriginType]),
      servers: first?.servers.size,
    }).toEqual({
      sims: [
        ['truck-1', '10.0.0.17', true],
        ['truck-2', null, false],
      ],
      others: ['van-1'],
      gateways: [['depot', 1]],
      sites: [
        ['own_domain', 0],
        ['subdomain', 1],
      ],
      servers: 1,
    });
  });

  it('may be empty', () => {
    expect(planted(undefined).accounts[0]?.world.sims.size).toBe(0);
  });
});

describe('a seed that cannot be used names the place and what to write', () => {
  it.each<[unknown, string]>([
    [[], 'the top level: write an object'],
    [{ trucks: [] }, 'the top level: no such member: trucks'],
    [{ sims: {} }, 'sims: write a list'],
    [{ sims: [{ name: 'x' }] }, 'sims[0].iccid: write the ICCID as a string of digits'],
    [{ sims: [{ iccid: 8981 }] }, 'sims[0].iccid: write the ICCID as a string of digits'],
    [{ sims: [{ iccid: '1', id: '2' }] }, 'sims[0].id: write 12 digits, in quotes'],
    [{ sims: [{ iccid: '1' }, { iccid: '1' }] }, 'sims[1].iccid: another SIM has 1'],
    [
      { sims: ['1', '2'].map((iccid) => ({ iccid, id: '113300000001' })) },
      'sims[1].id: another object has 113300000001',
    ],
    [{ sims: [{ iccid: '1', ip: '10.0.0.2' }] }, 'sims[0].ip: it needs a gateway, write one'],
    [{ sims: [{ iccid: '1', gateway: 'x' }] }, 'sims[0].gateway: there is no gateway x, write the name or ID of one'],
    [
      { gateways: [gateway], sims: [{ iccid: '1', gateway: 'g', ip: '10.0.0.1' }] },
      'sims[0].ip: the gateway itself has this address',
    ],
    [{ gateways: [{ ...gateway, planID: 1 }] }, 'gateways[0].planID: write 2, the only plan there is'],
    [{ gateways: [{ name: 'g', zone: 'mars' }] }, 'gateways[0].zone: write one of tk1a, tk1b, is1a, is1b, is1c, tk1v'],
    [
      { gateways: [{ name: 'g', zone: 'is1a', staticRoutes: [{ prefix: '10.0.0.0/8', nextHop: '10.0.0.1' }] }] },
      'gateways[0].staticRoutes: they need a privateInterface, write one',
    ],
    [
      { gateways: [{ ...gateway, simRoutes: [{ sim: '1', prefix: '10.0.0.0/8' }] }] },
      'gateways[0].simRoutes[0].sim: no SIM of this gateway has ICCID 1',
    ],
    [
      { sites: [{ name: 's', settings: { RequestProtocol: 9 } }] },
      'sites[0].settings.RequestProtocol: write 0 or 1 or 2',
    ],
    [{ sites: [{ name: 's', settings: { OriginType: 1 } }] }, 'sites[0].settings.BucketName: OriginType 1 needs it'],
    [{ sites: [{ name: 's', accessControl: ['nonsense'] }] }, 'sites[0].accessControl line 1: write deny or allow'],
    [{ sites: [1, 2].map(() => ({ name: 's', domain: 'a.jp' })) }, 'sites[1].domain: another site has a.jp'],
    [{ servers: [{ name: 'v', zone: 'is1a', power: 'on' }] }, 'servers[0].power: write up or down'],
    [{ passCodes: { '1': 1234 } }, 'passCodes.1: write the pass code in quotes'],
    [{ accounts: [{ name: 'a', accessToken: 'a' }] }, 'accounts[0].accessTokenSecret: write a secret'],
    [
      { accounts: [{ name: 'a', accessToken: 'a', accessTokenSecret: 's', sims: [{ iccid: '1', gateway: 'x' }] }] },
      'accounts[0].sims[0].gateway: there is no gateway x',
    ],
  ])('%j', (seed, message) => {
    expect(() => planted(seed)).toThrow(message);
  });

  it.each([
    ['sims: [', 'is neither YAML nor JSON'],
    ['sims: [{iccid: 8981}]', 'sims[0].iccid: write the ICCID as a string of digits'],
  ])('file with %j', async (text, message) => {
    const file = await fileWith(text);
    await expect(readSeedFile(file).then(planted)).rejects.toThrow(message);
  });

  it('a file that is not there', async () => {
    await expect(readSeedFile('/nowhere/seed.yaml')).rejects.toThrow('/nowhere/seed.yaml cannot be read');
  });

  it('lists every place at once', () => {
    expect(() => parseSeed({ sims: [{}], gateways: [{ name: 'g' }] })).toThrow(
      /sims\[0\]\.iccid.*; gateways\[0\]\.zone/,
    );
  });
});
