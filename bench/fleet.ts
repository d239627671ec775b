import { once } from 'node:events';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { kindDefinitions } from '../src/kinds/index.ts';
import { toCustomResourceDefinition } from '../src/kubernetes/crd.ts';
import { createApiserver } from '../src/shadow/apiserver/apiserver.ts';
import { createService } from '../src/shadow/service/service.ts';
import { createRandom } from '../src/shadow/world/random.ts';
import { createWorld, type World } from '../src/shadow/world/world.ts';

/**
 * A fleet of live SIMs that nothing happens to but their traffic: what the operator writes to Kubernetes and asks the service
 * in an hour, in virtual time, and what a scrape of it takes, in real time: `node bench/fleet.ts --sims 10000`
 */
const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '10000' },
    hours: { type: 'string', default: '1' },
    /** How often a day the gateway stops for ten minutes: every SIM loses its session, and has it again. */
    outages: { type: 'string', default: '0' },
    /** For a build without `--resource-metrics`: only what it writes and asks is measured. */
    bare: { type: 'boolean', default: false },
  },
});
const count = Number(values.sims);
const hours = Number(values.hours);
const outages = Number(values.outages);
const HOUR_MILLISECONDS = 3_600_000;
const OUTAGE_MILLISECONDS = 600_000;
const SCRAPES = 9;
const USER = 'bench';
const accessToken = 'bench-token';
const accessTokenSecret = 'bench-secret';
const iccidOf = (index: number) => `8981040000${String(index).padStart(9, '0')}`;

const random = createRandom('fleet');
const world: World = createWorld({
  random,
  apiserver: (now, chance) => {
    const uids = chance.fork('uids');
    return createApiserver({
      now,
      uid: () => `${uids.int(2 ** 32)}-${uids.int(2 ** 32)}`,
      definitions: kindDefinitions.map(toCustomResourceDefinition),
    });
  },
  service: (now, chance) =>
    createService({
      now,
      random: chance.next,
      accounts: [{ name: 'fleet', accessToken, accessTokenSecret }],
      settings: { pageLimit: 1000 },
      seed: {
        fleet: {
          gateways: [{ name: 'depot', zone: 'is1b', instanceStatus: 'up' }],
          // Each has a session, so that its traffic moves from poll to poll.
          sims: Array.from({ length: count }, (_, index) => ({
            iccid: iccidOf(index),
            name: `sim-${index}`,
            activated: true,
            gateway: 'depot',
            ip: `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
          })),
        },
      },
    }),
});
world.calm();

function create(path: string, manifest: object): void {
  const answer = world.apiserver.handle({ method: 'POST', path, user: USER, body: JSON.stringify(manifest) });
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
}

function prepare(): void {
  const group = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
  create('/api/v1/namespaces', { metadata: { name: 'edgeline-system' } });
  create('/api/v1/namespaces', { metadata: { name: 'fleet' } });
  create('/api/v1/namespaces/fleet/secrets', {
    metadata: { name: 'credentials' },
    data: {
      accessToken: Buffer.from(accessToken).toString('base64'),
      accessTokenSecret: Buffer.from(accessTokenSecret).toString('base64'),
    },
  });
  create(`${group}/cloudaccounts`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
  });
  for (let index = 0; index < count; index++) {
    create(`${group}/sims`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: `sim-${String(index).padStart(5, '0')}` },
      spec: { iccid: iccidOf(index) },
    });
  }
}

/** Counts by name, from now on while `isCounting`. */
function counter() {
  const counts: Record<string, number> = {};
  let isCounting = false;
  return {
    add: (name: string) => isCounting && (counts[name] = (counts[name] ?? 0) + 1),
    start: () => (isCounting = true),
    stop(): Readonly<Record<string, number>> {
      isCounting = false;
      return counts;
    },
  };
}

/** A scrape in real time, of a process whose virtual time stands still meanwhile: the median of some. */
async function scrape(port: number): Promise<{ series: number; bytes: number; milliseconds: number }> {
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < SCRAPES; round++) {
    const began = performance.now();
    text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    times.push(performance.now() - began);
  }
  return {
    series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
    bytes: Buffer.byteLength(text),
    milliseconds: Math.round(times.toSorted((a, b) => a - b)[Math.floor(SCRAPES / 2)] ?? 0),
  };
}

/** Stops the gateway and starts it again, so often a day, in the hours that are measured. */
function planOutages(from: number): void {
  const times = Math.round((outages * hours) / 24);
  for (let index = 0; index < times; index++) {
    const at = from + ((index + 0.5) * hours * HOUR_MILLISECONDS) / times;
    world.at(at, () => world.service.edit({ gateways: { depot: { instanceStatus: 'down' } } }));
    world.at(at + OUTAGE_MILLISECONDS, () => world.service.edit({ gateways: { depot: { instanceStatus: 'up' } } }));
  }
}

const anHour = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Math.round(value / hours)]));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

const isShown = (sim: object) => JSON.stringify(sim).includes('"carriers"');

prepare();
const writes = counter();
const requests = counter();
world.onMessage((moment, { to, verb, route }) => {
  if (moment !== 'arrived') return;
  if (to === 'service') requests.add(route);
  else if (verb !== 'GET') writes.add(route);
});
// The first fills the statuses, carriers and all, which are read in turn otherwise; the second runs as it does every day.
const first = world.start('operator-1', { detailPace: 100_000 });
for (let shown = 0; shown < count; ) {
  await world.run(world.now() + 300_000);
  shown = world.apiserver.list('sims').filter(isShown).length;
  console.error(`${Math.round(world.now() / 60_000)} minutes: ${shown} Sims are whole`);
}
first.stop('never');
await world.run(world.now() + 10_000);
const port = await freePort();
const metrics = values.bare ? {} : { metricsListen: `127.0.0.1:${port}`, resourceMetrics: 'names' as const };
world.start('operator-2', metrics);
await world.run(world.now() + 1_800_000);
writes.start();
requests.start();
planOutages(world.now());
await world.run(world.now() + hours * HOUR_MILLISECONDS);
const written = writes.stop();
const ofStatuses = written['patch sims/status'] ?? 0;
const result = {
  sims: count,
  outagesADay: outages,
  statusWritesASimAndDay: Math.round((ofStatuses / count / hours) * 24 * 100) / 100,
  kubernetesWritesAnHour: anHour(written),
  serviceRequestsAnHour: anHour(requests.stop()),
  ...(!values.bare && { scrape: await scrape(port) }),
};
console.log(JSON.stringify(result, undefined, 2));
process.exit(0);
