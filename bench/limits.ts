import { parseArgs } from 'node:util';
import type { StoredObject } from '../src/shadow/apiserver/apiserver.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './virtual.ts';

/**
 * What an account's limits make of a fleet, in virtual time: nothing else takes any. How long new SIMs take at the default
 * limits, how long a person's edit waits behind them, and an account behind another's:
 * `node bench/limits.ts --sims 100,1000,10000`
 */
const { values } = parseArgs({
  options: { sims: { type: 'string', default: '100,1000,10000' }, busy: { type: 'string', default: '1000' } },
});

const SECOND = 1000;
const EDITED = 20;
const EDITS = 120;
const EDIT_EVERY_SECONDS = 3;
const FIRST_NEW = 1_000_000;
const gatewayIDs = { fleet: '113300000900', calm: '113300000901' };
type Namespace = keyof typeof gatewayIDs;
const depotOf = (namespace: Namespace) => ({
  gateways: [{ id: gatewayIDs[namespace], name: 'depot', zone: 'is1b' as const, instanceStatus: 'up' as const }],
});

const isReady = ({ metadata, status }: StoredObject) => {
  const { observedGeneration, conditions = [] } = (status ?? {}) as {
    observedGeneration?: number;
    conditions?: readonly { type: string; status: string }[];
  };
  return (
    observedGeneration === metadata.generation &&
    conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True')
  );
};

function createGateway(fleet: VirtualFleet, namespace: Namespace): void {
  fleet.create(`/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/mobilegateways`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: gatewayIDs[namespace] },
  });
}

/** SIMs as the benchmark of the whole has them: five calls each. */
function createSims(fleet: VirtualFleet, namespace: string, count: number): void {
  for (let index = 0; index < count; index++) {
    fleet.createSim(namespace, `new-${String(index).padStart(5, '0')}`, FIRST_NEW + index, {
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

/** Virtual seconds until all of these are Ready. */
async function untilReady({ world, sims }: VirtualFleet, namespace: string, name = ''): Promise<number> {
  const began = world.now();
  const all = () => sims(namespace).filter(({ metadata }) => metadata.name.startsWith(name));
  while (!all().every(isReady)) await world.run(world.now() + SECOND / 2);
  return Math.round((world.now() - began) / SECOND);
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
  const each = (total: number) => Math.round((total / count) * 100) / 100;
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

/** Seconds from a person's edit of a SIM to the request that carries it out, and until it is Ready, beside so many new SIMs. */
async function edits(count: number) {
  const existing = Array.from({ length: EDITED }, (_, index) => ({
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { ...depotOf('fleet'), sims: existing } } });
  const { world } = fleet;
  createGateway(fleet, 'fleet');
  for (const [index] of existing.entries()) fleet.createSim('fleet', `old-${index}`, index);
  world.start('operator');
  await world.run(120 * SECOND);
  createSims(fleet, 'fleet', count);
  await world.run(world.now() + 10 * SECOND);
  const times: { sent: number; ready: number }[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const name = `old-${edit % EDITED}`;
    const imei = String(356_938_035_643_800 + edit);
    const began = world.now();
    let sent: number | undefined;
    fleet.patch(`namespaces/fleet/sims/${name}`, { spec: { imeiLock: imei } });
    const isSent = () =>
      world.service.changes.some(
        ({ route, body }) => route.endsWith('/sim/imeilock') && JSON.stringify(body ?? '').includes(imei),
      );
    const isDone = () => fleet.sims('fleet').some((sim) => sim.metadata.name === name && isReady(sim));
    while (sent === undefined || !isDone()) {
      await world.run(world.now() + 20);
      if (sent === undefined && isSent()) sent = world.now();
    }
    times.push({ sent: sent - began, ready: world.now() - began });
    await world.run(began + EDIT_EVERY_SECONDS * SECOND);
  }
  const left = fleet.sims('fleet').filter((sim) => !isReady(sim)).length;
  const at = (share: number, of: (one: { sent: number; ready: number }) => number) =>
    Math.round((times.map(of).toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0) / 10) / 100;
  return {
    newSims: count,
    edits: EDITS,
    newSimsNotReadyAfterwards: left,
    sentSeconds: { p50: at(0.5, ({ sent }) => sent), p99: at(0.99, ({ sent }) => sent) },
    readySeconds: { p50: at(0.5, ({ ready }) => ready), p99: at(0.99, ({ ready }) => ready) },
  };
}

/** Seconds until the one new SIM of an account is Ready: alone, and while another account makes so many. */
async function neighbour(count: number) {
  const seconds = [];
  for (const others of [0, count]) {
    const fleet = createVirtualFleet({ seeds: { fleet: depotOf('fleet'), calm: depotOf('calm') } });
    for (const namespace of ['fleet', 'calm'] as const) createGateway(fleet, namespace);
    fleet.world.start('operator');
    await fleet.world.run(60 * SECOND);
    createSims(fleet, 'fleet', others);
    await fleet.world.run(fleet.world.now() + 20 * SECOND);
    createSims(fleet, 'calm', 1);
    const began = fleet.world.now();
    while (!fleet.sims('calm').every(isReady)) await fleet.world.run(fleet.world.now() + 20);
    seconds.push(Math.round((fleet.world.now() - began) / 10) / 100);
  }
  const [alone = 0, beside = 0] = seconds;
  return { othersWaiting: count, alone, beside, ratio: Math.round((beside / alone) * 100) / 100 };
}

const result = {
  atDefaultLimits: [] as Awaited<ReturnType<typeof fill>>[],
  edits: await edits(Number(values.busy)),
  neighbour: await neighbour(Number(values.busy)),
  bearsHalf: await fill(Number(values.busy), { cloudLimit: 5 }),
};
for (const count of values.sims.split(',')) {
  console.error(`${count} Sims`);
  result.atDefaultLimits.push(await fill(Number(count)));
}
console.log(JSON.stringify(result, undefined, 2));
process.exit(0);
