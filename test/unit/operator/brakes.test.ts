import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../src/kinds/cloud-account/schema.ts';
import type { ManagedObjects } from '../../../src/kinds/index.ts';
import { parseJson } from '../../../src/kubernetes/json.ts';
import { timestamp } from '../../../src/kubernetes/objects.ts';
import { createBrakes } from '../../../src/operator/brakes.ts';
import type { Braked } from '../../../src/reconcile/brakes.ts';
import { managedKindNames } from '../../../src/reconcile/kind-names.ts';
import type { AccountRef, ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryClient } from '../kubernetes/memory-client.ts';

type Options = Parameters<typeof createBrakes>[0];
type Sim = ManagedObjects['Sim'];
type MobileGateway = ManagedObjects['MobileGateway'];

const MINUTE = 60_000;
const own: AccountRef = { kind: 'CloudAccount', name: 'default' };
const shared: AccountRef = { kind: 'ClusterCloudAccount', name: 'default' };
const KEY = 'CloudAccount/fleet/default';
const PATH = 'cloudaccounts/fleet/default';

/** As much of a thing as the test plays. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it plays
function partial<T>(value: object): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  return value as T;
}

let clock: ManualClock;
let store: ReturnType<typeof memoryClient>;
let sims: Sim[];
let gateways: MobileGateway[];
/** How far the cluster's clock, and the one of the machine, are ahead. Milliseconds. */
let ahead: { cluster: number; machine: number };
let changed: string[];
/** How often what a namespace has was looked through. */
let looks: number;
beforeEach(() => {
  clock = new ManualClock();
  store = memoryClient();
  sims = [];
  gateways = [];
  ahead = { cluster: 0, machine: 0 };
  changed = [];
  looks = 0;
  putAccount({});
  store.objects.set('clustercloudaccounts//default', accountNamed('ClusterCloudAccount', {}));
});

function accountNamed(kind: string, spec: object, annotations: Record<string, string> = {}, uid = kind) {
  const namespace = kind === 'CloudAccount' ? { namespace: 'fleet' } : {};
  const metadata = { name: 'default', ...namespace, uid, resourceVersion: '1', annotations };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata, spec };
}

function putAccount(spec: object, annotations: Record<string, string> = {}, uid?: string): void {
  const status = stored()?.status;
  store.objects.set(PATH, { ...accountNamed('CloudAccount', spec, annotations, uid), ...(status && { status }) });
}

const stored = () => {
  const object = store.objects.get(PATH);
  return object && parseJson<Account>(JSON.stringify(object));
};
const onRecord = () => (stored()?.status?.brakes ?? []).map(({ key }) => key);

/** Sims with something at the service. */
function addSims(count: number, more: { namespace?: string; deleted?: boolean; spec?: object } = {}): Sim[] {
  const { namespace = 'fleet', deleted = false, spec = {} } = more;
  const added = Array.from({ length: count }, (_, index): Sim => {
    const name = `sim-${sims.length + index}`;
    const metadata = { name, namespace, uid: name, resourceVersion: '1', finalizers: ['edgeline.dev/create'] };
    return {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { ...metadata, ...(deleted && { deletionTimestamp: timestamp(clock.now() + ahead.cluster) }) },
      spec: { iccid: name, ...spec },
      status: { id: name, ownership: 'Created' },
    };
  });
  sims.push(...added);
  return added;
}

function addGateways(count: number): MobileGateway[] {
  const added = Array.from({ length: count }, (_, index): MobileGateway => {
    const name = `gateway-${gateways.length + index}`;
    const creationTimestamp = timestamp(clock.now());
    return {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name, namespace: 'fleet', uid: name, resourceVersion: '1', creationTimestamp },
      spec: { zone: 'tk1b', planID: 2 },
    };
  });
  gateways.push(...added);
  return added;
}

function remove(sim: Sim): void {
  sim.metadata.deletionTimestamp = timestamp(clock.now());
}

/** Its status says that it is held, of so many. */
function hold(sim: Sim, heldAmong: number): void {
  sim.status = { ...sim.status, heldSince: timestamp(clock.now()), heldAmong };
}

/** They are gone: from now on only the record tells of them. */
function vanish(gone: readonly Sim[]): void {
  sims = sims.filter((sim) => !gone.includes(sim));
}

/** A process of the operator. One that lags sees of its account what it saw at its start, and what it wrote. */
function start(accountRef = own, lags = false, client = store.client) {
  const isOwn = accountRef.kind === 'CloudAccount';
  const path = isOwn ? PATH : 'clustercloudaccounts//default';
  const read = () => {
    const object = store.objects.get(path);
    return object && parseJson<Account>(JSON.stringify(object));
  };
  let seen = read();
  const accounts = {
    get: () => (lags ? seen : read()),
    put: (account: Account) => {
      seen = account;
    },
  };
  const of = <T extends ManagedObject>(objects: () => T[]) => ({
    list: objects,
    byNamespace(namespace: string) {
      looks++;
      return objects().filter(({ metadata }) => metadata.namespace === namespace);
    },
  });
  const none = of(() => []);
  const all = {
    ...Object.fromEntries(managedKindNames.map((kind) => [kind, none])),
    Sim: of(() => sims),
    MobileGateway: of(() => gateways),
  };
  const brakes = createBrakes(
    partial<Options>({
      informers: {
        accounts,
        clusterAccounts: accounts,
        of: all,
        managed: new Map<string, object>(Object.entries(all)),
        namespaces: { get: () => undefined },
      },
      users: {
        accountOf: ({ metadata }: Sim) =>
          isOwn ? `CloudAccount/${metadata.namespace}/default` : 'ClusterCloudAccount//default',
      },
      client,
      clock: {
        now: () => clock.now() + ahead.machine,
        monotonic: () => clock.monotonic(),
      },
      time: {
        latest: () => clock.now() + ahead.cluster,
        toOwn: (at: number) => at + ahead.machine - ahead.cluster,
      },
      onChanged: (account: string) => changed.push(account),
    }),
  );

  /** Which of them may go. */
  async function ask(objects: readonly ManagedObject[], action: Braked = 'Deletion', vanished?: string) {
    const asked = objects.map(async (object) => {
      const answer = await brakes.ask({ action, object, account: accountRef, vanished });
      return 'hold' in answer ? [] : [object.metadata.name];
    });
    return (await Promise.all(asked)).flat();
  }
  return { brakes, ask };
}

/** Why a deletion is held; empty where it is not. */
async function heldBy(brakes: ReturnType<typeof createBrakes>, object: Sim | undefined): Promise<string> {
  if (!object) throw new Error('there is none');
  const answer = await brakes.ask({ action: 'Deletion', object, account: own });
  return 'hold' in answer ? answer.hold.message : '';
}

describe('deletions', () => {
  test('ten of a thousand go, each on record before, and all at once in a few writes', async () => {
    const all = addSims(1000);
    const { ask } = start();
    const some = all.slice(0, 10);
    some.forEach(remove);
    expect(await ask(some)).toHaveLength(10);
    expect(onRecord()).toEqual(some.map(({ metadata }) => metadata.uid));
    expect(store.calls.filter((call) => call.startsWith('patch'))).toHaveLength(2);
  });

  test('of a thousand at once none goes, and nothing is written', async () => {
    const { ask, brakes } = start();
    expect(await ask(addSims(1000, { deleted: true }))).toEqual([]);
    expect(store.calls).toEqual([]);
    expect(changed).toEqual([KEY]);
    expect(brakes.verdict(KEY)).toEqual({
      type: 'Braked',
      status: 'True',
      reason: 'DeletionsHeld',
      message:
        '1000 of the 1000 SIMs and gateways that resources of namespace fleet have in the account are to be deleted at the service: more than the 10 an hour that spec.brakes.deletions of the CloudAccount default allows. All that are left are held until a person lets go. If it is meant: kubectl annotate -n fleet --overwrite cloudaccount default edgeline.dev/release-deletions=2026-01-01T00:02:00Z',
    });
  });

  test('one after the other ten go, whichever process is asked, and though none sees what others write', async () => {
    const all = addSims(40);
    const processes = [start(own, true), start(own, true), start(own, true)];
    const went: string[] = [];
    for (const [index, sim] of all.entries()) {
      remove(sim);
      const gone = (await processes[index % 3]?.ask([sim])) ?? [];
      went.push(...gone);
      vanish(gone.length > 0 ? [sim] : []);
    }
    expect(went).toHaveLength(10);
  });

  test('what was let through is let through again after a restart, and counts once', async () => {
    const [first, ...rest] = addSims(1000);
    if (!first) return;
    remove(first);
    await start().ask([first]);
    const after = start();
    expect(await after.ask([first])).toEqual(['sim-0']);
    const more = rest.slice(0, 9);
    more.forEach(remove);
    expect(await after.ask(more)).toHaveLength(9);
    expect(onRecord()).toHaveLength(10);
  });

  test('what is left of a mishap stays held when the hour is over; other work goes on then', async () => {
    const all = addSims(100);
    const { ask } = start();
    const [some, left] = [all.slice(0, 10), all.slice(10, 15)];
    for (const sim of some) remove(sim);
    expect(await ask(some)).toHaveLength(10);
    left.forEach(remove);
    expect(await ask(left)).toEqual([]);
    for (const sim of left) {
      const since = { message: '', lastTransitionTime: timestamp(clock.now()) };
      sim.status = {
        ...sim.status,
        conditions: [{ type: 'Synced', status: 'False', reason: 'DeletionHeld', ...since }],
      };
    }
    await clock.advance(300 * MINUTE);
    vanish(some);
    expect(await start().ask(left)).toEqual([]);
    vanish(left);
    const [next] = sims;
    if (next) remove(next);
    expect(await start().ask(next ? [next] : [])).toHaveLength(1);
  });

  test.each(['Paused', 'AccountNotReady'])('what is held stays held when it is told by %s instead', async (reason) => {
    const all = addSims(100);
    const { ask } = start();
    const [some, left] = [all.slice(0, 10), all.slice(10, 15)];
    some.forEach(remove);
    expect(await ask(some)).toHaveLength(10);
    vanish(some);
    left.forEach(remove);
    expect(await ask(left)).toEqual([]);
    for (const sim of left) {
      const since = timestamp(clock.now());
      const told = { type: 'Synced', status: 'False', reason, message: '', lastTransitionTime: since } as const;
      sim.status = { ...sim.status, heldSince: since, conditions: [told] };
    }
    await clock.advance(300 * MINUTE);
    expect(await start().ask(left)).toEqual([]);
  });

  test('what is left of a mishap stays held while a person rescues one after the other, or lets single ones go', async () => {
    const all = addSims(100);
    for (const sim of all.slice(0, 20)) remove(sim);
    const { ask } = start();
    expect(await ask(all.slice(0, 20))).toEqual([]);
    for (const sim of all.slice(0, 20)) hold(sim, 20);
    for (const [index, sim] of all.slice(0, 18).entries()) {
      if (index % 2 === 0) sim.spec.deletionPolicy = 'Orphan';
      else sim.metadata.annotations = { 'edgeline.dev/release-deletions': timestamp(clock.now()) };
      await clock.advance(MINUTE);
      expect(await start().ask(all.slice(18, 20))).toEqual([]);
      vanish([sim]);
    }
    expect(await ask(all.slice(18, 20))).toEqual([]);
  });

  test('that were let through and are more than may go now, as there are fewer, hold nothing, and the account tells of none', async () => {
    const gone = addSims(4);
    addSims(4);
    const { brakes, ask } = start();
    gone.forEach(remove);
    expect(await ask(gone)).toHaveLength(4);
    vanish(gone);
    expect(brakes.verdict(KEY)).toBeUndefined();
    // Adopted ones are let go without asking, and there are fewer still.
    sims.splice(0, 1);
    expect(brakes.verdict(KEY)).toBeUndefined();
    const [next] = sims;
    if (!next) throw new Error('there is none');
    remove(next);
    const held =
      /^At least 1 of the 7 SIMs and gateways that resources of namespace fleet have in the account are to be deleted at the service, and 4 were let through before: more than the 3 an hour/;
    expect(await heldBy(brakes, next)).toMatch(held);
    expect(brakes.verdict(KEY)).toMatchObject({ status: 'True', message: expect.stringMatching(held) });
    putAccount({}, { 'edgeline.dev/release-deletions': timestamp(clock.now()) });
    expect(await ask([next])).toEqual([next.metadata.name]);
    expect(brakes.verdict(KEY)).toBeUndefined();
    vanish([next]);
    expect(brakes.verdict(KEY)).toBeUndefined();
  });

  test('that were let through and were not sent in time are told as what waits, once it is too much', async () => {
    const [first, ...others] = addSims(8);
    if (!first) throw new Error('there is none');
    const { brakes, ask } = start();
    remove(first);
    expect(await ask([first])).toHaveLength(1);
    await clock.advance(11 * MINUTE);
    others.slice(0, 5).forEach(remove);
    expect(await heldBy(brakes, first)).toMatch(
      /^At least 6 of the 8 SIMs and gateways [^,]* at the service: more than/,
    );
    expect(brakes.verdict(KEY)?.message).toMatch(/^At least 6 of the 8 /);
  });

  test('ten go again after an hour and ten minutes', async () => {
    const all = addSims(100);
    const { ask } = start();
    const [some, more] = [all.slice(0, 10), all.slice(10, 20)];
    some.forEach(remove);
    await ask(some);
    vanish(some);
    await clock.advance(69 * MINUTE);
    more.forEach(remove);
    expect(await ask(more)).toEqual([]);
    await clock.advance(2 * MINUTE);
    expect(await ask(more)).toHaveLength(10);
  });

  test('that come one after the other are told as at least so many, and exactly once they have stopped coming', async () => {
    const all = addSims(100);
    const { brakes } = start();
    for (const sim of all.slice(0, 11)) remove(sim);
    expect(await heldBy(brakes, all[0])).toMatch(/^At least 11 of the 100 SIMs and gateways/);
    for (const sim of all.slice(11, 60)) remove(sim);
    await clock.advance(31_000);
    expect(await heldBy(brakes, all[0])).toMatch(/^60 of the 100 SIMs and gateways/);
    expect(changed).toEqual([KEY, KEY]);
  });

  test('without room on record are held with these words, and not with those of too many', async () => {
    const { brakes } = start();
    const [sim] = addSims(100);
    if (!sim) throw new Error('there is none');
    const others = Array.from({ length: 4000 }, (_, index) => ({
      action: 'Deletion',
      namespace: `other-${index}`,
      key: `x${index}`,
      at: timestamp(clock.now()),
    }));
    store.objects.set(PATH, { ...accountNamed('CloudAccount', {}), status: { brakes: others } });
    remove(sim);
    expect(await heldBy(brakes, sim)).toMatch(
      /^No SIM and no gateway is deleted at the service: the CloudAccount default has 4000 deletions and creations of all its namespaces on record, and room for no more\. Deletions of namespace fleet go on once some of those are 70 minutes old, or a person lets go\. If it is meant: kubectl annotate/,
    );
    expect(brakes.verdict(KEY)?.message).toMatch(/^No SIM and no gateway is deleted at the service/);
  });

  test('old ones by the thousand, as who may write the status can put there, cost no more than one', async () => {
    const [sim] = addSims(10);
    if (!sim) return;
    remove(sim);
    const withGrants = async (count: number) => {
      putAccount({});
      const at = '2020-01-01T00:00:00Z';
      const old = { action: 'Deletion', namespace: 'fleet', at };
      const brakes = Array.from({ length: count }, (_, index) => ({ ...old, key: `old-${index}` }));
      Object.assign(store.objects.get(PATH) ?? {}, { status: { brakes } });
      looks = 0;
      expect(await start().ask([sim])).toHaveLength(1);
      expect(onRecord()).toEqual(['sim-0']);
      return looks;
    };
    expect(await withGrants(4000)).toBe(await withGrants(1));
  });

  test('where the account is deleted and made anew, what went before counts', async () => {
    const all = addSims(40);
    const { ask, brakes } = start();
    const some = all.slice(0, 10);
    some.forEach(remove);
    expect(await ask(some)).toHaveLength(10);
    store.objects.delete(PATH);
    brakes.forget(KEY);
    putAccount({});
    const [next] = all.slice(10);
    if (next) remove(next);
    expect(await ask(next ? [next] : [])).toEqual([]);
  });

  test.each([
    ['is deleted and made anew', true],
    ['is another by the time it is seen', false],
  ])('where the account %s, what an earlier process let through counts', async (_, isSeen) => {
    const all = addSims(40);
    const some = all.slice(0, 10);
    some.forEach(remove);
    expect(await start().ask(some)).toHaveLength(10);
    const { ask, brakes } = start();
    brakes.verdict(KEY);
    vanish(some);
    store.objects.delete(PATH);
    if (isSeen) brakes.forget(KEY);
    putAccount({}, {}, 'anew');
    const [next] = all.slice(10);
    if (next) remove(next);
    expect(await ask(next ? [next] : [])).toEqual([]);
  });

  test('what the account made anew does not have on record is for the account to put there', async () => {
    const all = addSims(40);
    const some = all.slice(0, 10);
    some.forEach(remove);
    const { ask, brakes } = start();
    expect(await ask(some)).toHaveLength(10);
    const before = stored();
    expect(before && brakes.unrecorded(KEY, before)).toBeUndefined();
    vanish(some);
    store.objects.delete(PATH);
    brakes.forget(KEY);
    putAccount({}, {}, 'anew');
    const after = stored();
    const missing = (after && brakes.unrecorded(KEY, after)) ?? [];
    expect(missing.map(({ key }) => key)).toEqual(before?.status?.brakes?.map(({ key }) => key));
    await clock.advance(71 * MINUTE);
    expect(after && brakes.unrecorded(KEY, after)).toBeUndefined();
  });

  test('a permit is good for ten minutes, and is then asked for anew without counting twice', async () => {
    const [sim] = addSims(10);
    if (!sim) return;
    remove(sim);
    const { brakes, ask } = start();
    const permit = await brakes.ask({ action: 'Deletion', object: sim, account: own });
    const isGood = () => 'isGood' in permit && permit.isGood();
    expect(isGood()).toBe(true);
    await clock.advance(10 * MINUTE);
    expect(isGood()).toBe(false);
    expect(await ask([sim])).toHaveLength(1);
    expect(isGood()).toBe(true);
    expect(onRecord()).toHaveLength(1);
  });

  test.each([
    ['is orphaned', { spec: { deletionPolicy: 'Orphan' } }],
    ['is only observed', { spec: { managementPolicy: 'Observe' } }],
  ])('what %s does not count', async (_, more) => {
    addSims(100, { deleted: true, ...more });
    const some = addSims(5, { deleted: true });
    addSims(5);
    expect(await start().ask(some)).toHaveLength(5);
  });

  test('a record that cannot be stored lets nothing through', async () => {
    const [sim] = addSims(10);
    if (!sim) return;
    remove(sim);
    store.fail(() => new Error('no answer'));
    await expect(start().ask([sim])).rejects.toThrow('no answer');
  });

  test('what a write without an answer put on record goes, though there is too much by the time that is seen', async () => {
    const [first, ...rest] = addSims(20);
    if (!first) return;
    remove(first);
    const unanswered: typeof store.client = {
      ...store.client,
      async mergePatch<T>(...given: Parameters<typeof store.client.mergePatch>) {
        await store.client.mergePatch<T>(...given);
        for (const sim of rest) if (!sim.metadata.deletionTimestamp) remove(sim);
        // As it is sent once more: the record is another one by now.
        return store.client.mergePatch<T>(...given);
      },
    };
    const { ask } = start(own, true, unanswered);
    expect(await ask([first])).toEqual(['sim-0']);
    expect(await ask(rest)).toEqual([]);
    expect(onRecord()).toEqual(['sim-0']);
  });

  test('a record that the apiserver drops lets nothing through', async () => {
    const [sim] = addSims(10, { deleted: true }).slice(0, 1);
    sims = sim ? [sim] : [];
    const without: typeof store.client = {
      ...store.client,
      async mergePatch<T>(...given: Parameters<typeof store.client.mergePatch>) {
        await store.client.mergePatch(...given);
        return partial<T>({ ...stored(), status: {} });
      },
    };
    expect(await start(own, true, without).ask(sims)).toEqual([]);
    expect(await start().ask(sims)).toHaveLength(1);
  });

  test('where the account is gone, as many go as if it were there', async () => {
    const all = addSims(20);
    store.objects.clear();
    const { ask } = start();
    const went: string[] = [];
    for (const sim of all) {
      remove(sim);
      went.push(...(await ask([sim])));
    }
    expect(went).toHaveLength(10);
  });
});

describe('clocks', () => {
  const spans = [-48 * 60, -60, 60, 48 * 60].map((minutes) => minutes * MINUTE);

  test.each(spans.flatMap((cluster) => spans.map((machine) => [cluster, machine] as const)))(
    'that jump by %i and %i ms let nothing more through',
    async (cluster, machine) => {
      const all = addSims(100);
      const { ask } = start();
      const some = all.slice(0, 10);
      some.forEach(remove);
      expect(await ask(some)).toHaveLength(10);
      vanish(some);
      ahead = { cluster, machine };
      const [next] = all.slice(10);
      if (next) remove(next);
      expect(await ask(next ? [next] : [])).toEqual([]);
    },
  );

  test.each([
    [0, 48 * 60 * MINUTE],
    [48 * 60 * MINUTE, 0],
    [-48 * 60 * MINUTE, -48 * 60 * MINUTE],
  ])(
    'that are wrong by %i and %i ms where the next process runs let nothing more through',
    async (cluster, machine) => {
      const all = addSims(100);
      const some = all.slice(0, 10);
      some.forEach(remove);
      expect(await start().ask(some)).toHaveLength(10);
      vanish(some);
      ahead = { cluster, machine };
      const [next] = all.slice(10);
      if (next) remove(next);
      const after = start();
      expect(await after.ask(next ? [next] : [])).toEqual([]);
      await clock.advance(71 * MINUTE);
      expect(await after.ask(next ? [next] : [])).toHaveLength(1);
    },
  );

  test('that were behind when something was let through do not date it before it was asked for', async () => {
    const all = addSims(100);
    const [first, second, [next]] = [all.slice(0, 9), all.slice(9, 10), all.slice(10)];
    first.forEach(remove);
    expect(await start().ask(first)).toHaveLength(9);
    // It writes the record of the others anew, too.
    ahead = { cluster: -75 * MINUTE, machine: -75 * MINUTE };
    second.forEach(remove);
    expect(await start().ask(second)).toHaveLength(1);
    vanish([...first, ...second]);
    ahead = { cluster: 0, machine: 0 };
    if (next) remove(next);
    expect(await start().ask(next ? [next] : [])).toEqual([]);
  });

  test('that are behind for a moment, while something that was asked for long ago is let through, make nothing older', async () => {
    const all = addSims(100);
    const [first, [late], [next]] = [all.slice(0, 9), all.slice(9, 10), all.slice(10)];
    if (late) remove(late);
    await clock.advance(120 * MINUTE);
    first.forEach(remove);
    const process = start();
    expect(await process.ask(first)).toHaveLength(9);
    ahead = { cluster: -75 * MINUTE, machine: -75 * MINUTE };
    expect(await start().ask(late ? [late] : [])).toHaveLength(1);
    vanish([...first, ...(late ? [late] : [])]);
    ahead = { cluster: 0, machine: 0 };
    if (next) remove(next);
    expect(await start().ask(next ? [next] : [])).toEqual([]);
  });

  test('a record of the future counts for an hour, and no longer', async () => {
    const all = addSims(100);
    ahead = { cluster: 240 * MINUTE, machine: 240 * MINUTE };
    const some = all.slice(0, 10);
    some.forEach(remove);
    expect(await start().ask(some)).toHaveLength(10);
    vanish(some);
    ahead = { cluster: 0, machine: 0 };
    const after = start();
    const [next] = all.slice(10);
    if (next) remove(next);
    expect(await after.ask(next ? [next] : [])).toEqual([]);
    await clock.advance(71 * MINUTE);
    expect(await after.ask(next ? [next] : [])).toHaveLength(1);
  });
});

describe('tenants', () => {
  test('of one account do not hold one another up', async () => {
    const { ask, brakes } = start(shared);
    expect(await ask(addSims(100, { deleted: true, namespace: 'harbour' }))).toEqual([]);
    addSims(10);
    expect(await ask(addSims(5, { deleted: true }))).toHaveLength(5);
    expect(brakes.verdict('ClusterCloudAccount//default')?.message).toContain(
      'kubectl annotate -n harbour --overwrite sims,mobilegateways --all edgeline.dev/release-deletions=',
    );
  });
});

describe('letting go', () => {
  const at = (minutes: number) => timestamp(clock.now() + minutes * MINUTE);
  const release = (time: string) => ({ 'edgeline.dev/release-deletions': time });

  test.each([
    ['of now', 0, true],
    ['a little ahead, as clocks are', 30, true],
    ['of a minute before', -1, false],
    ['of last month', -43_200, false],
    ['of next year', 525_600, false],
  ])('with a time %s', async (_, minutes, isReleased) => {
    const all = addSims(20, { deleted: true });
    putAccount({}, release(at(minutes)));
    expect(await start().ask(all)).toHaveLength(isReleased ? 20 : 0);
    expect(onRecord()).toEqual([]);
  });

  test('what is deleted later is held again', async () => {
    const all = addSims(40, { deleted: true });
    putAccount({}, release(at(0)));
    await clock.advance(MINUTE);
    const later = addSims(20, { deleted: true });
    const { ask } = start();
    expect(await ask(all)).toHaveLength(40);
    expect(await ask(later)).toEqual([]);
  });

  test('of one resource lets that one go, and no other', async () => {
    const all = addSims(20, { deleted: true });
    const [one] = all;
    if (one) one.metadata.annotations = release(at(0));
    expect(await start().ask(all)).toEqual(['sim-0']);
  });

  test.each(['yes', '', 'true', '2026-13-01'])('the word %j lets nothing go', async (word) => {
    putAccount({}, release(word));
    expect(await start().ask(addSims(20, { deleted: true }))).toEqual([]);
  });

  test.each([
    [{ deletions: { policy: 'Allow' } }, 20],
    [{ deletions: { maxPerHour: 20, maxPercent: 100 } }, 20],
    [{ deletions: { maxPerHour: 20 } }, 0],
  ])('spec.brakes %j lets %i of 20 go', async (brakes, expected) => {
    putAccount({ brakes });
    expect(await start().ask(addSims(20, { deleted: true }))).toHaveLength(expected);
  });

  test('the command in the message lets go, also of what was asked for since it was counted', async () => {
    const first = addSims(20, { deleted: true });
    const { brakes, ask } = start();
    await ask(first);
    await clock.advance(5000);
    const second = addSims(1, { deleted: true });
    const [answer] = await Promise.all(
      second.map((object) => brakes.ask({ action: 'Deletion', object, account: own })),
    );
    const time = /release-deletions=(\S+)/.exec(answer && 'hold' in answer ? answer.hold.message : '')?.[1];
    putAccount({}, release(time ?? ''));
    expect(await ask([...first, ...second])).toHaveLength(21);
  });
});

describe('the command of one message', () => {
  const commandOf = (message = '') => /edgeline\.dev\/release-\w+=(\S+)/.exec(message)?.[1] ?? '';

  test('lets go of all that one kubectl delete asks for, whose first message comes before its end', async () => {
    const all = addSims(100);
    const { brakes, ask } = start();
    for (const sim of all.slice(0, 50)) remove(sim);
    const first = commandOf(await heldBy(brakes, all[0]));
    const told = new Set([first]);
    for (const sim of all.slice(50)) {
      await clock.advance(1000);
      remove(sim);
      told.add(commandOf(await heldBy(brakes, sim)));
      told.add(commandOf(brakes.verdict(KEY)?.message));
    }
    expect([...told]).toEqual([first]);
    putAccount({}, { 'edgeline.dev/release-deletions': first });
    expect(await ask(all)).toHaveLength(100);
  });

  test('names another time while things are asked for for minutes, a minute ahead of the last of them at least', async () => {
    const all = addSims(100);
    const { brakes } = start();
    for (const sim of all.slice(0, 40)) remove(sim);
    const told: string[] = [];
    for (const sim of all.slice(40)) {
      await clock.advance(5000);
      remove(sim);
      const time = commandOf(await heldBy(brakes, sim));
      expect(Date.parse(time) - clock.now()).toBeGreaterThanOrEqual(MINUTE);
      if (time !== told.at(-1)) told.push(time);
    }
    expect(told).toHaveLength(5);
  });

  test('lets go of what vanished, also where the ten minutes in which it asks are over before somebody has read it', async () => {
    const all = addGateways(11);
    for (const gateway of all) gateway.status = { vanishedID: `gone-${gateway.metadata.name}` };
    await clock.advance(9 * MINUTE);
    const { brakes } = start();
    const askAll = async () => {
      const asked = all.map((one) => start().ask([one], 'Creation', `gone-${one.metadata.name}`));
      return (await Promise.all(asked)).flat();
    };
    expect(await askAll()).toEqual([]);
    const time = commandOf(brakes.verdict(KEY)?.message);
    await clock.advance(2 * MINUTE);
    putAccount({}, { 'edgeline.dev/release-creations': time });
    expect(await askAll()).toHaveLength(11);
  });
});

describe('creations of gateways', () => {
  test('ten an hour go', async () => {
    const { ask } = start();
    expect(await ask(addGateways(10), 'Creation')).toHaveLength(10);
    expect(await ask(addGateways(1), 'Creation')).toEqual([]);
  });

  test('eleven at once do not, until somebody lets them go', async () => {
    const all = addGateways(11);
    const process = start();
    expect(await process.ask(all, 'Creation')).toEqual([]);
    expect(process.brakes.verdict(KEY)).toMatchObject({ reason: 'CreationsHeld' });
    putAccount({}, { 'edgeline.dev/release-creations': timestamp(clock.now()) });
    expect(await process.ask(all, 'Creation')).toHaveLength(11);
  });

  test('as many that vanished are made once more, and each counts once', async () => {
    const all = addGateways(10);
    const { ask } = start();
    const went: string[] = [];
    for (const gateway of all) {
      const { name } = gateway.metadata;
      gateway.status = { vanishedID: `gone-${name}` };
      went.push(...(await ask([gateway], 'Creation', `gone-${name}`)));
    }
    expect(went).toHaveLength(10);
  });

  test('what vanished long after it was let go stays held, also in another process', async () => {
    const all = addGateways(15);
    putAccount({}, { 'edgeline.dev/release-creations': timestamp(clock.now()) });
    await clock.advance(30 * 24 * 60 * MINUTE);
    for (const gateway of all) gateway.status = { vanishedID: `gone-${gateway.metadata.name}` };
    const askAll = () => Promise.all(all.map((one) => start().ask([one], 'Creation', `gone-${one.metadata.name}`)));
    expect((await askAll()).flat()).toEqual([]);
    expect(start().brakes.verdict(KEY)).toMatchObject({ reason: 'CreationsHeld' });
  });

  test('what vanishes again and again is made ten times an hour, whatever was let go last month', async () => {
    const [gateway] = addGateways(1);
    if (!gateway) return;
    putAccount({}, { 'edgeline.dev/release-creations': timestamp(clock.now()) });
    await clock.advance(30 * 24 * 60 * MINUTE);
    gateway.status = { id: 'g' };
    const process = start();
    const went: string[] = [];
    for (let time = 0; time < 15; time++) {
      const answer = await process.ask([gateway], 'Creation', `gone-${time}`);
      went.push(...answer);
    }
    expect(went).toHaveLength(10);
  });
});
