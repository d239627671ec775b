import { parseArgs } from 'node:util';
import { createVirtualFleet, iccidOf, type VirtualFleet } from '../test/simulation/fleet.ts';

/**
 * What an account's limits make of a fleet, in virtual time: nothing else takes any. How long new SIMs take at the default
 * limits, how long a person's edit waits behind them, and an account behind another's:
 * `node bench/limits.ts --sims 100,1000,10000`
 */
const { values } = parseArgs({
  options: { sims: { type: 'string', default: '100,1000,10000' }, busy: { type: 'string', default: '1000' } },
});

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const EDITED = 20;
const EDITS = 120;
const EDIT_EVERY_SECONDS = 3;
const NEIGHBOURS = 20;
const NEIGHBOUR_EVERY_SECONDS = 15;
const FIRST_OLD_ID = 113_300_500_000;
/** A SIM card is of one account. */
const FIRST_NEW = { fleet: 1_000_000, calm: 2_000_000 };
const gatewayIDs = { fleet: '113300000900', calm: '113300000901' };
type Namespace = keyof typeof gatewayIDs;
const depotOf = (namespace: Namespace) => ({
  gateways: [{ id: gatewayIDs[namespace], name: 'depot', zone: 'is1b' as const, instanceStatus: 'up' as const }],
});

function createGateway(fleet: VirtualFleet, namespace: Namespace): void {
  fleet.create(`/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/mobilegateways`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: gatewayIDs[namespace] },
  });
}

/** SIMs as the benchmark of the whole has them: five calls each. */
function createSims(fleet: VirtualFleet, namespace: Namespace, count: number, first = 0): void {
  for (let index = first; index < first + count; index++) {
    fleet.createSim(namespace, `new-${String(index).padStart(5, '0')}`, FIRST_NEW[namespace] + index, {
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: `10.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`,
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
    });
  }
}

/** Virtual seconds until no Sim waits any more. */
async function untilReady({ world, waiting }: VirtualFleet, namespace: string): Promise<number> {
  const began = world.now();
  await world.run(began + DAY, () => waiting(namespace).size === 0);
  return rounded((world.now() - began) / SECOND);
}

function countMessages({ world }: VirtualFleet) {
  const counts = { requests: 0, refused: 0, writes: 0, events: 0 };
  world.onMessage((moment, { to, verb, route }, answer) => {
    if (to === 'service' && moment === 'arrived') counts.requests++;
    if (to === 'service' && moment === 'answered' && (answer?.status === 429 || answer?.status === 503))
      counts.refused++;
    if (to === 'kubernetes' && moment === 'arrived' && verb !== 'GET') {
      if (route.endsWith(' events')) counts.events++;
      else if (route.includes(' sims')) counts.writes++;
    }
  });
  return counts;
}

async function fill(count: number, more: { readonly cloudLimit?: number; readonly limits?: object } = {}) {
  const fleet = createVirtualFleet({ seeds: { fleet: depotOf('fleet') }, ...more });
  createGateway(fleet, 'fleet');
  fleet.world.start('operator');
  await fleet.world.run(60 * SECOND);
  const counts = countMessages(fleet);
  createSims(fleet, 'fleet', count);
  const seconds = await untilReady(fleet, 'fleet');
  const each = (total: number) => rounded(total / count);
  return {
    sims: count,
    ...more,
    seconds,
    requestsEach: each(counts.requests),
    refused: counts.refused,
    writesEach: each(counts.writes),
    eventsEach: each(counts.events),
  };
}

/** From a person's edit of a SIM to the request that carries it out, and until it is Ready, while so many are made. */
async function edits(count: number) {
  const existing = Array.from({ length: EDITED }, (_, index) => ({
    id: String(FIRST_OLD_ID + index),
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { ...depotOf('fleet'), sims: existing } } });
  const { world, waiting } = fleet;
  createGateway(fleet, 'fleet');
  for (const [index] of existing.entries()) fleet.createSim('fleet', `old-${index}`, index);
  world.start('operator');
  await world.run(120 * SECOND);
  const carriedOut = new Map<string, number>();
  world.service.onChange(({ route, ids: [id = ''] }) => {
    if (route === 'PUT /commonserviceitem/:id/sim/imeilock') carriedOut.set(id, world.now());
  });
  createSims(fleet, 'fleet', count);
  await world.run(world.now() + 10 * SECOND);
  const sent: number[] = [];
  const ready: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const index = edit % EDITED;
    const began = world.now();
    fleet.patch(`/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/old-${index}`, {
      spec: { imeiLock: String(356_938_035_643_800 + edit) },
    });
    await world.run(began + DAY, () => !waiting('fleet').has(`old-${index}`));
    ready.push(world.now() - began);
    sent.push((carriedOut.get(String(FIRST_OLD_ID + index)) ?? Number.NaN) - began);
    await world.run(began + EDIT_EVERY_SECONDS * SECOND);
  }
  return {
    newSims: count,
    newSimsAfterTheEdits: waiting('fleet').size,
    edits: EDITS,
    carriedOutSeconds: spread(sent),
    readySeconds: spread(ready),
  };
}

/** Until a new SIM of an account is Ready: alone, and while another account makes so many. */
async function neighbour(count: number) {
  const fleetOf = async (others: number) => {
    const fleet = createVirtualFleet({ seeds: { fleet: depotOf('fleet'), calm: depotOf('calm') } });
    for (const namespace of ['fleet', 'calm'] as const) createGateway(fleet, namespace);
    const { world, waiting } = fleet;
    world.start('operator');
    await world.run(60 * SECOND);
    createSims(fleet, 'fleet', others);
    await world.run(world.now() + 20 * SECOND);
    const times: number[] = [];
    for (let index = 0; index < NEIGHBOURS; index++) {
      const began = world.now();
      createSims(fleet, 'calm', 1, index);
      await world.run(began + DAY, () => waiting('calm').size === 0);
      times.push(world.now() - began);
      await world.run(began + NEIGHBOUR_EVERY_SECONDS * SECOND);
    }
    return { seconds: spread(times), left: waiting('fleet').size };
  };
  const alone = await fleetOf(0);
  const beside = await fleetOf(count);
  return {
    others: count,
    othersAfterwards: beside.left,
    newSims: NEIGHBOURS,
    aloneSeconds: alone.seconds,
    besideSeconds: beside.seconds,
    ratio: rounded(beside.seconds.p50 / alone.seconds.p50),
  };
}

/** Seconds, of milliseconds. */
function spread(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => rounded((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / SECOND);
  return { p50: at(0.5), p99: at(0.99) };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

const busy = Number(values.busy);
const parts = {
  edits: () => edits(busy),
  neighbour: () => neighbour(busy),
  bearsHalf: () => fill(busy, { cloudLimit: 5 }),
  ...Object.fromEntries(values.sims.split(',').map((count) => [`sims ${count}`, () => fill(Number(count))])),
};
for (const [name, measure] of Object.entries(parts)) {
  const cpu = process.cpuUsage();
  const result = await measure();
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ [name]: result, cpuSeconds: rounded((user + system) / 1e6) }));
}
process.exit(0);
