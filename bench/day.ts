import { parseArgs } from 'node:util';
import * as z from 'zod';
import { createDemoAuthority } from '../src/sandbox/cluster/demo-certificates.ts';
import { createRandom } from '../src/shadow/world/random.ts';
import { EPOCH } from '../src/shadow/world/world.ts';
import { createVirtualFleet } from '../test/simulation/fleet.ts';

/**
 * A day of an account with many sites, in virtual time: nothing else takes any. Each certificate is renewed once at some
 * moment, and many of them together, as when their issuer changes; people edit sites. How much of the service's hour that
 * takes at most, and how long a certificate and an edit wait: `node bench/day.ts --sites 1000 --certificates 200`
 */
const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '1000' },
    certificates: { type: 'string', default: '200' },
    /** So many of the certificates are renewed in one moment. */
    together: { type: 'string', default: '100' },
    edits: { type: 'string', default: '240' },
  },
});

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const FIRST_ID = 113_300_600_000;
const NAMESPACE = 'shop';
const TOGETHER_AT = 12 * HOUR;

const counts = {
  sites: Number(values.sites),
  certificates: Number(values.certificates),
  together: Number(values.together),
  edits: Number(values.edits),
};
const random = createRandom('day');
const domainOf = (index: number) => `site-${index}.example.jp`;
const idOf = (index: number) => String(FIRST_ID + index);
const indexOf = (id: string) => Number(id) - FIRST_ID;

const tls = z.object({ 'tls.crt': z.string(), 'tls.key': z.string() });
const authority = await createDemoAuthority(EPOCH);
async function issue(index: number): Promise<z.infer<typeof tls>> {
  const { object } = await authority.issue({ secretName: `site-${index}`, domain: domainOf(index) }, NAMESPACE);
  return tls.parse(object['stringData']);
}
const base64 = (data: z.infer<typeof tls>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
/** Each certificate as it is, as it is when its issuer changes, and as it is at another moment of the day. */
const generations = await Promise.all(
  Array.from({ length: counts.certificates }, async (_, index) => [
    await issue(index),
    await issue(index),
    await issue(index),
  ]),
);

const fleet = createVirtualFleet({
  seeds: {
    [NAMESPACE]: {
      sites: Array.from({ length: counts.sites }, (_, index) => {
        const data = generations[index]?.[0];
        return {
          id: idOf(index),
          name: `site-${index}`,
          domain: domainOf(index),
          ...(data && { certificate: { chain: data['tls.crt'], key: data['tls.key'] } }),
        };
      }),
    },
  },
});
const { world } = fleet;
const path = (plural: string) => `/apis/edgeline.dev/v1alpha1/namespaces/${NAMESPACE}/${plural}`;
for (let index = 0; index < counts.sites; index++) {
  fleet.create(path('webaccelsites'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: `site-${index}` },
    spec: { domain: domainOf(index), defaultCacheTTL: 300, accessControl: ['deny 192.0.2.0/24', 'allow all'] },
  });
}
for (const [index, [data]] of generations.entries()) {
  if (!data) continue;
  fleet.create(`/api/v1/namespaces/${NAMESPACE}/secrets`, {
    metadata: { name: `site-${index}` },
    type: 'kubernetes.io/tls',
    data: base64(data),
  });
  fleet.create(path('sitecertificates'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name: `site-${index}` },
    spec: { siteRef: { name: `site-${index}` }, secretRef: { name: `site-${index}` } },
  });
}

const unfinished = () =>
  fleet.waiting(NAMESPACE, 'webaccelsites').size + fleet.waiting(NAMESPACE, 'sitecertificates').size;
const arrivedAt: number[] = [];
let writtenAt = -Infinity;
let closest = Infinity;
let refused = 0;
world.onMessage((moment, { to, target }, answer) => {
  if (to !== 'service' || !target.includes('/webaccel/')) return;
  if (moment === 'arrived') arrivedAt.push(world.now());
  if (moment === 'written') {
    closest = Math.min(closest, world.now() - writtenAt);
    writtenAt = world.now();
  }
  if (moment === 'answered' && answer?.status === 429) refused++;
});
/** When a certificate, or a setting, was changed in the cluster and is not at the service yet. */
const waiting = { certificates: new Map<number, number>(), edits: new Map<number, number>() };
const lags = { certificates: [] as number[], together: [] as number[], edits: [] as number[] };
let uploads = 0;
world.service.onChange(({ route, ids: [id = ''] }) => {
  const index = indexOf(id);
  const arrive = (since: Map<number, number>, into: (since: number) => number[]) => {
    const at = since.get(index);
    if (at === undefined) return;
    into(at).push(world.now() - at);
    since.delete(index);
  };
  if (route === 'PUT webaccel/site/:id/certificate') {
    uploads++;
    arrive(waiting.certificates, (at) => (at === togetherAt ? lags.together : lags.certificates));
  }
  if (route === 'PUT webaccel/site/:id') arrive(waiting.edits, () => lags.edits);
});

world.start('operator');
await world.run(DAY, () => unfinished() === 0);
const began = world.now();
const takenOver = { seconds: rounded(began / SECOND), requests: arrivedAt.length, unfinished: unfinished() };

const togetherAt = began + TOGETHER_AT;
const renew = (index: number, generation: 1 | 2) => {
  const data = generations[index]?.[generation];
  if (!data) return;
  waiting.certificates.set(index, world.now());
  fleet.patch(`/api/v1/namespaces/${NAMESPACE}/secrets/site-${index}`, { data: base64(data) });
};
/** Not beside those that are renewed together: who was already waiting then would be renewed twice at once. */
const someMoment = () => began + random.int(DAY / 2 - 2 * HOUR) + (random.next() < 0.5 ? 0 : DAY / 2 + 2 * HOUR);
for (let index = 0; index < counts.certificates; index++) world.at(someMoment(), () => renew(index, 1));
world.at(togetherAt, () => {
  for (let index = 0; index < counts.together; index++) renew(index, 2);
});
for (let edit = 0; edit < counts.edits; edit++) {
  world.at(began + random.int(DAY), () => {
    const index = random.int(counts.sites);
    waiting.edits.set(index, world.now());
    fleet.patch(`${path('webaccelsites')}/site-${index}`, { spec: { defaultCacheTTL: 301 + edit } });
  });
}
const before = arrivedAt.length;
const cpu = process.cpuUsage();
await world.run(began + DAY);
const { user, system } = process.cpuUsage(cpu);

console.log(
  JSON.stringify(
    {
      ...counts,
      takenOver,
      requests: arrivedAt.length - before,
      mostInAnHour: mostWithin(HOUR),
      closestMilliseconds: rounded(closest),
      refused,
      uploads,
      renewedSeconds: spread(lags.certificates),
      renewedTogetherSeconds: spread(lags.together),
      editedSeconds: spread(lags.edits),
      unfinished: unfinished(),
      operatorAndWorldCPUSeconds: rounded((user + system) / 1e6),
    },
    undefined,
    2,
  ),
);
process.exit(0);

/** The most requests in any period of this length, wherever it begins. */
function mostWithin(milliseconds: number): number {
  let first = 0;
  return Math.max(
    ...arrivedAt.map((at, last) => {
      while ((arrivedAt[first] ?? at) <= at - milliseconds) first++;
      return last - first + 1;
    }),
  );
}

/** Seconds, of milliseconds. */
function spread(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => rounded((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / SECOND);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
