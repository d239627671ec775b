import { mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Answer, printed } from '../../../../src/cli/ask/answer.ts';
import { gatewayOperations } from '../../../../src/cli/ask/gateway.ts';
import type { Work } from '../../../../src/cli/ask/run.ts';
import { serverOperations } from '../../../../src/cli/ask/server.ts';
import { simOperations } from '../../../../src/cli/ask/sim.ts';
import { siteOperations } from '../../../../src/cli/ask/site.ts';
import { outputs } from '../../../../src/cli/output.ts';
import { createReads } from '../../../../src/cli/service/reads.ts';
import { widthOf } from '../../../../src/cli/text/width.ts';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { EdgelineError } from '../../../../src/errors.ts';
import { convert } from '../../../../src/export/convert.ts';
import { readPicture } from '../../../../src/export/read.ts';
import { reportOf } from '../../../../src/export/report.ts';
import { selectionOf } from '../../../../src/export/select.ts';
import { renderManifests, renderSecrets } from '../../../../src/import/terraform/render.ts';
import { isUnsafe } from '../../../../src/unsafe.ts';
import { clientOf } from '../../../support/client-of.ts';
import { createChance } from '../../../support/hostile/random.ts';
import { hostileTarget } from '../../../support/hostile/run.ts';
import { hostileSeed } from '../../../support/hostile/templates.ts';
import { mutated } from '../../../support/hostile/values.ts';
import { type HTTPSServer, makeCertificates, startHTTPSServer } from '../../../support/https-server.ts';
import { partial } from '../../../support/partial.ts';
import type { SpawnedSimulator } from '../../../support/simulator-process.ts';

let simulator: SpawnedSimulator;
let server: HTTPSServer;
let client: CloudClient;
let chance = createChance(1);
let likelihood = 0;
beforeAll(async () => {
  const seedFile = join(mkdtempSync(join(tmpdir(), 'simulator-')), 'seed.json');
  writeFileSync(seedFile, JSON.stringify(hostileSeed));
  simulator = await hostileTarget(seedFile);
  const certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
  client = clientOf(server, certificates, { accessToken: 'token', accessTokenSecret: 'secret-of-token' });
  server.answer(async ({ method, target, headers }) => {
    const { status, body } = await askSimulator(method, target, headers.authorization ?? '');
    return { status, json: mutated(JSON.parse(body), chance, likelihood) };
  });
});
afterAll(async () => {
  await client.close();
  await server.close();
  await simulator.stop();
});

function askSimulator(method: string, target: string, authorization: string) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(simulator.baseURL);
    const headers = { authorization };
    request(
      { method, path: target, hostname, port, headers, ca: simulator.ca, servername: 'localhost' },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (body += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    )
      .on('error', reject)
      .end();
  });
}

const NOW = Date.UTC(2026, 10, 23);
const HOUR = 3_600_000;
const work = () => partial<Work>({ access: { client }, now: NOW });
const about = (id: string, zone?: string) => ({ ...work(), subject: partial<never>({ id, title: id, zone }) });
const onServer = { zone: 'is1a', id: '113300000401' };

const asked: readonly (readonly [what: string, ask: () => Promise<Answer>])[] = [
  ['sim status', () => simOperations.show(about('113300000101'))],
  ['sim logs', () => simOperations.logs(about('113300000101'), 100)],
  ['sim metrics', () => simOperations.metrics(about('113300000101'), HOUR)],
  ['gateway sims', () => gatewayOperations.sims(about('113300000201', 'is1b'))],
  ['gateway logs', () => gatewayOperations.logs(about('113300000201', 'is1b'), 100)],
  ['gateway traffic', () => gatewayOperations.traffic(about('113300000201', 'is1b'))],
  ['site usage', () => siteOperations.usage(work(), undefined, undefined)],
  ['site certificate', () => siteOperations.certificate(about('113300000301'))],
  ['site acl', () => siteOperations.acl(about('113300000301'))],
  ['server show', () => serverOperations.show(work(), onServer)],
  ['server power', () => serverOperations.power(work(), onServer)],
  ['server monitor', () => serverOperations.monitor(work(), onServer, HOUR)],
];

/** Undefined where it is said in words why there is none. */
async function orRefused<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof EdgelineError) return undefined;
    throw error;
  }
}

it.each(asked)('whatever the service answers, %s says it, or why not, and nothing else happens', async (_, ask) => {
  let shown = 0;
  for (let seed = 0; seed < 40; seed++) {
    chance = createChance(seed);
    likelihood = seed === 0 ? 0 : 0.05;
    const answer = await orRefused(ask());
    if (!answer) continue;
    shown++;
    const texts = new Map<string, string>();
    for (const output of outputs)
      texts.set(output, await printed(answer, 'CloudAccount/default', output, { columns: 80, colours: false }));
    expect([...texts.values()].flatMap((text) => text.split('\n').filter(isUnsafe))).toEqual([]);
    expect(parse(texts.get('yaml') ?? '')).toEqual(JSON.parse(texts.get('json') ?? ''));
    expect((texts.get('table') ?? '').split('\n').every((line) => widthOf(line) <= 80)).toBe(true);
  }
  expect(shown).toBeGreaterThan(0);
});

it('whatever the service answers, an export has manifests that can be read, in files of their own, or says why not', async () => {
  let made = 0;
  const options = { accountRef: undefined, observe: false, dialect: 'Documented' } as const;
  for (let seed = 0; seed < 60; seed++) {
    chance = createChance(seed);
    likelihood = seed === 0 ? 0 : 0.02;
    const selection = selectionOf([], []);
    const access = partial<Parameters<typeof readPicture>[0]['access']>({
      reads: createReads(client),
      dialect: 'Documented',
      reserve: async () => 1000,
      usage: () => ({ sent: 0, claimed: 0 }),
      hour: async () => ({ limit: 500, kept: 0, spent: 0, room: 500, moreAt: undefined, closedUntil: undefined }),
    });
    const read = await orRefused(
      readPicture({ access, selection, carriers: true, say: () => undefined, onListed: async () => undefined }),
    );
    if (!read) continue;
    const { manifests, secrets, findings } = convert(read.picture, selection, options);
    made += manifests.length;
    const rendering = { from: 'the service', namespace: 'fleet', by: 'edgeline export' };
    for (const manifest of manifests) {
      expect(manifest.name).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
      const text = renderManifests([manifest], rendering);
      expect(parse(text)).toMatchObject({ kind: manifest.kind, metadata: { name: manifest.name, namespace: 'fleet' } });
      expect(text).not.toMatch(/[!&*]\w+ /);
    }
    const text = renderManifests(manifests, rendering) + renderSecrets(secrets, rendering);
    const report = reportOf(
      { manifests, secrets, findings: [...read.gaps, ...findings] },
      {
        from: 'x',
        requests: { sent: 0, claimed: 0 },
        secretsFile: undefined,
        namespace: 'fleet',
        present: { same: [], others: [] },
      },
    );
    expect(`${text}${report}`.split('\n').filter(isUnsafe)).toEqual([]);
    expect(text.split('---\n').length - 1).toBe(manifests.length + secrets.length);
  }
  expect(made).toBeGreaterThan(60);
});
