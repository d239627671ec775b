import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, type TestContext, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Seed } from '../../../src/simulator/seed-schema.ts';
import { kubeconfigWith } from '../../support/cli.ts';
import { readPageAt } from '../../support/documents.ts';
import { kubectlOutput } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { program } from '../../support/program.ts';
import { openTerminal, passagesOf, promisedBy } from '../../support/walkthrough.ts';
import { createWorld, type World, type WorldOptions } from '../../support/world.ts';

// Most of the time is spent waiting for the next request to an account's web acceleration.
vi.setConfig({ maxConcurrency: 4, testTimeout: 240_000 });

type Ends = Pick<TestContext, 'onTestFinished'>;

const WEBHOOK = 'https://chat.example.jp/hooks/canary-webhook';
const iccid = (number: number) => `89810400000000${String(10_000 + number)}`;

/** As people make it by hand over the years: names that are twice there, in Japanese, or none. */
function handmade(): Seed {
  const carriers = [
    { name: 'KDDI' as const, allow: true },
    { name: 'SoftBank' as const, allow: false },
  ];
  const gateways = [
    {
      id: '113300000101',
      name: 'depot',
      zone: 'is1a' as const,
      instanceStatus: 'up' as const,
      internetConnection: true,
    },
    {
      id: '113300000102',
      name: 'Depot',
      zone: 'is1b' as const,
      instanceStatus: 'up' as const,
      interDeviceCommunication: true,
      privateInterface: { ipAddress: '10.1.0.1', networkMaskLength: 24 },
      staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.1.0.254' }],
      simRoutes: [{ sim: iccid(20), prefix: '192.168.20.0/24' }],
      trafficMonitoring: {
        quotaMB: 1024,
        autoTrafficShaping: true,
        bandwidthLimitKbps: 64,
        email: true,
        chatURL: WEBHOOK,
      },
    },
    { id: '113300000103', name: '倉庫', zone: 'tk1a' as const, instanceStatus: 'up' as const },
  ];
  const sims = Array.from({ length: 35 }, (_, number) => ({
    id: String(113_300_000_200 + number),
    iccid: iccid(number),
    name: number < 2 ? 'truck' : number === 2 ? 'トラック' : `truck-${number}`,
    activated: number !== 3,
    ...(number < 10 && { carriers }),
    ...(number >= 10 &&
      number < 30 && { gateway: number < 20 ? '113300000101' : '113300000102', ip: `10.1.0.${number}` }),
    ...(number === 34 && { tags: ['east'], description: 'spare' }),
  }));
  const sites = Array.from({ length: 12 }, (_, number) => ({
    id: String(113_300_000_300 + number),
    name: `www ${number}`,
    domain: `www${number}.example.jp`,
    accessControl: number === 0 ? ['deny 192.0.2.0/24', 'allow all'] : [],
    settings: {
      Origin: `origin${number}.example.jp`,
      HostHeader: `www${number}.example.jp`,
      OriginProtocol: number % 2 === 0 ? 'https' : 'http',
      RequestProtocol: number % 3,
      VarySupport: number % 2,
      NormalizeAE: number === 5 ? 3 : 1,
      DefaultCacheTTL: number * 60,
      CORSRules: number === 6 ? [{ AllowsAnyOrigin: true }] : [],
    },
  }));
  return { gateways, sims, sites };
}

async function worldOf({ onTestFinished }: Ends, options: WorldOptions = {}): Promise<World> {
  const world = await createWorld({ prefix: 'export', seed: handmade(), ...options });
  onTestFinished(() => world.stop());
  const operator = await startTestOperator({ namespaces: [world.namespace] });
  onTestFinished(() => operator.stop());
  await world.ready('CloudAccount', 'default');
  return world;
}

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command itself, as a person does. */
function edgeline({ namespace }: World, ...words: string[]): Promise<Run> {
  const all = [program(), 'export', ...words, '--kubeconfig', kubeconfigWith({ namespace })];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

const directory = () => mkdtempSync(join(tmpdir(), 'edgeline-export-'));

describe.concurrent('an account that people made by hand', () => {
  it.for(['Documented', 'Extended'] as const)(
    'is exported, applied and Ready, without one write at the service (%s)',
    async (dialect, context) => {
      const world = await worldOf(context, { dialect });
      await world.forget();
      const out = directory();
      const secrets = join(directory(), 'secrets.yaml');
      const { code, err } = await edgeline(world, '--out', out, '--secrets', secrets, '-n', world.namespace);
      // Tags and descriptions have no place.
      expect(code).toBe(3);
      expect(err).toContain('MobileGateway 3, Sim 35, WebAccelSite 12.');
      expect(err).toContain('- tags: Edgeline does not manage it.');
      const files = readdirSync(out);
      expect(files).toHaveLength(50);
      expect(files).toEqual(
        expect.arrayContaining([
          'mobilegateway-depot-113300000101.yaml',
          'mobilegateway-depot-113300000102.yaml',
          'mobilegateway-113300000103.yaml',
          'sim-truck-113300000200.yaml',
          'sim-113300000202.yaml',
          'webaccelsite-www-0.yaml',
        ]),
      );
      const texts = files.map((file) => readFileSync(join(out, file), 'utf8')).join('') + err;
      expect(texts).not.toContain('canary-webhook');
      await kubectlOutput(['apply', '-f', secrets, '-f', out]);
      const manifests = files.flatMap((file) =>
        parseAllDocuments(readFileSync(join(out, file), 'utf8')).map((one) => one.toJS()),
      );
      for (const { kind, metadata, spec } of manifests) {
        await world.condition(kind, metadata.name, { type: 'Synced', status: 'True', reason: '*' });
        if (spec.activated !== false)
          await world.condition(kind, metadata.name, { type: 'Ready', status: 'True', reason: '*' });
      }
      await world.settle();
      expect(await world.writes()).toEqual([]);
      expect((await world.get('Sim', 'truck-20')).spec).toMatchObject({
        gatewayRef: { name: 'depot-113300000102' },
        ipAddress: '10.1.0.20',
      });
    },
  );

  it('is exported as far as the requests reach, and the rest is said to be missing', async (context) => {
    const world = await worldOf(context);
    await world.forget();
    const { code, out, err } = await edgeline(world, 'site', '--max-requests', '5');
    expect(code).toBe(3);
    const own = (await world.requests()).filter(({ route }) => route.startsWith('GET webaccel'));
    expect(own).toHaveLength(5);
    expect(err).toContain('The settings of 2 of 12 sites take 4 web acceleration requests.');
    expect(err).toContain('Run this again with --max-requests 25, or for some of the sites.');
    expect(out.match(/its settings were not looked at/g)).toHaveLength(10);
    expect(parseAllDocuments(out)).toHaveLength(12);
  });

  it('gives what is named, and nothing over what is there', async (context) => {
    const world = await worldOf(context);
    const out = directory();
    const chosen = ['sim/truck-20', 'gateway/113300000102', 'certificate/www0.example.jp', '--observe'];
    const first = await edgeline(world, ...chosen.filter((word) => !word.startsWith('certificate')), '--out', out);
    expect(readdirSync(out).toSorted()).toEqual(['mobilegateway-depot-113300000102.yaml', 'sim-truck-20.yaml']);
    expect(first.err).toContain('depot-113300000102-chat-webhook: url');
    expect(
      readFileSync(join(out, 'sim-truck-20.yaml'), 'utf8'),
    ).toBe(`# From the CloudAccount default in namespace ${world.namespace}, by edgeline export.
---
# SIM 113300000220 (truck-20)
apiVersion: edgeline.dev/v1alpha1
kind: Sim
metadata:
  name: truck-20
spec:
  managementPolicy: Observe
  iccid: "${iccid(20)}"
  resourceID: "113300000220"
  adoption: Required
  displayName: truck-20
  activated: true
  gatewayRef:
    name: depot-113300000102
  ipAddress: 10.1.0.20
  carriers:
    - name: KDDI
      allow: true
    - name: SoftBank
      allow: true
`);
    await world.forget();
    const again = await edgeline(world, 'sim/truck-20', '--out', out);
    const asked = (await world.requests()).map(({ path }) => path);
    expect(asked.filter((path) => path.endsWith('/network_operator_config'))).toEqual([]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')]);
    const nobody = await edgeline(world, 'sim/nobody');
    expect([nobody.code, nobody.out, nobody.err]).toEqual([
      1,
      '',
      expect.stringContaining('the account has no Sim nobody'),
    ]);
    const certificate = await edgeline(world, 'certificate/www0.example.jp');
    expect([certificate.code, certificate.err]).toEqual([
      1,
      expect.stringContaining('the account has no SiteCertificate www0.example.jp'),
    ]);
    const tagged = await edgeline(world, '--tag', 'east');
    expect(parseAllDocuments(tagged.out).map((one) => one.toJS().metadata.name)).toEqual(['truck-34']);
  });
});

describe.concurrent.each([
  ['docs/export.md', 'grep -c ^kind east.yaml some.yaml', ['east.yaml:3', 'some.yaml:2']],
  ['docs/adopting.md', 'grep -L adoption: fleet/*.yaml | grep -v webaccelsite', []],
])('%s', (page, look, seen) => {
  it('works as it is written, and writes nothing at the service', async (context) => {
    const { gateways = [], sims = [], sites = [] } = handmade();
    const seed = {
      gateways: gateways.map((one) => ({ ...one, tags: ['east'] })),
      sims: sims.slice(16, 22),
      sites: [...sites.slice(0, 2), { ...sites[2], name: 'www', domain: 'www.example.jp' }],
    };
    const world = await worldOf(context, { seed });
    await world.forget();
    const terminal = openTerminal({ env: { KUBECONFIG: kubeconfigWith({ namespace: world.namespace }) } });
    context.onTestFinished(() => terminal.dispose());
    await terminal.paste(`CLONE='${process.cwd()}'\nedgeline() { "${process.execPath}" "${program()}" "$@"; }`);
    for (const passage of passagesOf(readPageAt(page))) {
      const outcome = await terminal.follow(passage);
      expect({ commands: passage.commands, ...outcome }).toEqual({
        commands: passage.commands,
        ...promisedBy(passage),
      });
    }
    const { output } = await terminal.paste(`ls fleet | wc -l; ${look}`);
    expect(output.trim().split(/\s+/)).toEqual(['12', ...seen]);
    expect(await world.writes()).toEqual([]);
  });
});
