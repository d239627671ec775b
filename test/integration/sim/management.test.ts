import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually, kubectlOutput } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const ITEM = '/commonserviceitem/:id';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old', activated: true }] } };
const imei = '356938035643809';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object, annotations?: Record<string, string>): object {
  const metadata = { name: 'truck-17', ...(annotations && { annotations }) };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...spec } };
}

/** The SIM at the service, if it is there. */
async function atService(world: World): Promise<Record<string, unknown> | undefined> {
  const { sims } = await world.simulator.state();
  return Object.values(sims).find((one) => one?.['iccid'] === ICCID);
}

const reasons = async (world: World) => (await world.events('truck-17')).map(({ reason }) => reason);

describe.concurrent('taking over', () => {
  it('a SIM with a minimal manifest writes nothing at the service', async () => {
    const world = await createWorld(existing);
    await world.ready('CloudAccount', 'default');
    const before = await atService(world);
    await world.apply(sim({}));
    const { status } = await world.ready(...SIM);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    expect(await atService(world)).toEqual(before);
    expect(status).toMatchObject({ id: '113300000017', ownership: 'Adopted', activated: true });
    expect(status).not.toHaveProperty('applied');
    expect(await eventually(async () => reasonsOf(await reasons(world), 2))).toEqual(['Adopted', 'Ready']);
    await world.stop();
  });

  it('by resourceID takes that one', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ resourceID: '113300000017', adoption: 'Required' }));
    const { status } = await world.ready(...SIM);
    expect(status).toMatchObject({ id: '113300000017', ownership: 'Adopted' });
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('what is as the spec says writes nothing, neither then nor when it leaves the spec', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true }));
    const { status } = await world.ready(...SIM);
    expect(status).toMatchObject({ applied: { activated: true }, found: ['activated'] });
    await world.apply(sim({}));
    const after = await world.ready(...SIM);
    await world.settle();
    expect(after.status).not.toHaveProperty('found');
    expect(await world.writes()).toEqual([]);
    expect(await atService(world)).toMatchObject({ activated: true });
    await world.stop();
  });

  it('what is as the spec says is put right when it changes, and un-set when it leaves the spec then', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true }));
    await world.ready(...SIM);
    await world.simulator.patch({ sims: { [ICCID]: { activated: false } } });
    await eventually(async () => expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/activate`]));
    await eventually(async () => expect((await world.ready(...SIM)).status).not.toHaveProperty('found'));
    await world.apply(sim({}));
    await eventually(async () => expect(await atService(world)).toMatchObject({ activated: false }));
    await world.stop();
  });
});

function reasonsOf(all: string[], count: number): string[] {
  if (all.length < count) throw new Error(`only ${all.join(', ')}`);
  return all;
}

describe.concurrent('Observe', () => {
  it('writes nothing and shows the drift', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ managementPolicy: 'Observe', activated: false, imeiLock: imei }));
    const synced = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    expect(synced.message).toBe('activated is true, the spec says false and 1 more, see status.drift.');
    const { status, metadata } = await world.get(...SIM);
    expect(status?.['drift']).toEqual([
      { field: 'activated', desired: 'false', observed: 'true' },
      { field: 'imeiLock', desired: imei, observed: 'not locked' },
    ]);
    expect(metadata.finalizers).toBeUndefined();
    await world.settle();
    expect(await world.writes()).toEqual([]);

    await world.simulator.patch({ sims: { [ICCID]: { activated: false, imeiLock: imei } } });
    await world.ready(...SIM);
    expect((await world.get(...SIM)).status).not.toHaveProperty('drift');
    await world.stop();
  });

  it('that becomes Manage puts the drift right, and back again leaves things alone', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ managementPolicy: 'Observe', activated: false }));
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    await world.apply(sim({ activated: false }));
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/deactivate`]);
    await world.apply(sim({ managementPolicy: 'Observe', activated: false }));
    await world.ready(...SIM);
    await world.simulator.patch({ sims: { [ICCID]: { activated: true } } });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/deactivate`]);
    await world.stop();
  });

  it('deletion leaves the SIM, whoever created it', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef }));
    await world.ready(...SIM);
    await world.apply(sim({ passCodeSecretRef, managementPolicy: 'Observe', deletionPolicy: 'Delete' }));
    await world.ready(...SIM);
    await world.forget();
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    expect(await atService(world)).toBeDefined();
    await world.stop();
  });
});

describe.concurrent('a paused Sim', () => {
  it('is left alone until it is no longer paused', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({}));
    await world.ready(...SIM);
    await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    await world.apply(sim({ imeiLock: imei }));
    await world.settle();
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.annotate(...SIM, { 'edgeline.dev/paused': null });
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/imeilock {"sim":{"imei":"${imei}"}}`]);
    await world.stop();
  });

  it('is deleted once it is no longer paused, and says so', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef }));
    await world.ready(...SIM);
    await world.forget();
    await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
    await world.delete(...SIM);
    await eventually(async () => {
      const { message } = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
      expect(message).toBe('Deletion waits because edgeline.dev/paused is set. Remove the annotation to go on.');
    });
    expect(await world.writes()).toEqual([]);
    await world.annotate(...SIM, { 'edgeline.dev/paused': null });
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([`DELETE ${ITEM}`]);
    await world.stop();
  });
});

describe.concurrent('an annotation', () => {
  it('reconcile-at has everything read again, the carriers too, and is acted on once', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ carriers: [{ name: 'KDDI', allow: true }] }));
    await world.ready(...SIM);
    await world.annotate(...SIM, { 'edgeline.dev/reconcile-at': 'now' });
    await eventually(async () =>
      expect((await world.get(...SIM)).status).toMatchObject({ lastHandledReconcileAt: 'now' }),
    );
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('reconcile-at tries again what the service refused', async () => {
    const world = await createWorld(existing);
    await world.simulator.fault({ route: `PUT ${ITEM}/sim/imeilock`, code: 400 });
    await world.apply(sim({ imeiLock: imei }));
    await world.condition(...SIM, { type: 'Stalled', status: 'True', reason: 'Rejected' });
    await world.settle();
    await world.settle();
    expect((await world.counts())[`PUT ${ITEM}/sim/imeilock`]).toBe(1);
    await world.simulator.clearFaults();
    await world.annotate(...SIM, { 'edgeline.dev/reconcile-at': 'now' });
    await world.ready(...SIM);
    expect((await world.counts())[`PUT ${ITEM}/sim/imeilock`]).toBe(2);
    await world.stop();
  });

  it('reconnect-at presses reconnect once for each new value', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({}));
    await world.ready(...SIM);
    for (const value of ['first', 'second']) {
      await world.forget();
      await world.annotate(...SIM, { 'edgeline.dev/reconnect-at': value });
      await eventually(async () =>
        expect((await world.get(...SIM)).status).toMatchObject({ lastHandledReconnectAt: value }),
      );
      await world.annotate(...SIM, { 'edgeline.dev/other': value });
      await world.settle();
      await world.settle();
      expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/reconnect`]);
    }
    await world.stop();
  });

  it('reconnect-at in the first manifest of a SIM presses once too, when the SIM is there', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef }, { 'edgeline.dev/reconnect-at': 'with the first apply' }));
    await world.ready(...SIM);
    await world.settle();
    await world.settle();
    expect((await world.counts())[`PUT ${ITEM}/sim/reconnect`]).toBe(1);
    await world.stop();
  });

  it('abandon lets go: the finalizer goes, the SIM stays, and deletion asks nothing of the service', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef, deletionPolicy: 'Delete' }));
    await world.ready(...SIM);
    await world.forget();
    await world.annotate(...SIM, { 'edgeline.dev/abandon': 'true' });
    await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'Abandoned' });
    expect((await world.get(...SIM)).metadata.finalizers).toBeUndefined();
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    expect(await atService(world)).toBeDefined();
    await world.stop();
  });
});

const keeps: readonly string[] = [];
const removes: readonly string[] = [`PUT ${ITEM}/sim/deactivate`, `DELETE ${ITEM}`];

describe.concurrent('deletion', () => {
  it.each([
    ['Created', undefined, removes],
    ['Created', 'Delete', removes],
    ['Created', 'Orphan', keeps],
    ['Adopted', undefined, keeps],
    ['Adopted', 'Delete', removes],
    ['Adopted', 'Orphan', keeps],
  ] as const)('of a Sim %s, with deletionPolicy %s, asks this of the service: %j', async (ownership, policy, calls) => {
    const world = await createWorld(ownership === 'Adopted' ? existing : {});
    const deletionPolicy = policy && { deletionPolicy: policy };
    await world.apply(sim({ passCodeSecretRef, activated: true, ...deletionPolicy }));
    const { status } = await world.ready(...SIM);
    expect(status).toMatchObject({ ownership });
    await world.forget();
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual(calls);
    expect((await atService(world)) === undefined).toBe(calls === removes);
    await world.stop();
  });

  it('of a Sim that never got anywhere needs nothing', async () => {
    const world = await createWorld();
    await world.apply(sim({}));
    await world.condition(...SIM, { type: 'Stalled', status: 'True', reason: 'PassCodeRequired' });
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('of a SIM that has gone from the service already ends', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef }));
    await world.ready(...SIM);
    await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    await world.simulator.remove('sims', ICCID);
    await world.forget();
    await world.delete(...SIM);
    await world.annotate(...SIM, { 'edgeline.dev/paused': null });
    await world.gone(...SIM);
    expect((await world.writes()).filter((call) => !call.startsWith('DELETE'))).toEqual([]);
    await world.stop();
  });
});

describe.concurrent('a Sim', () => {
  it('that vanished at the service is created again, and the events tell the story', async () => {
    const world = await createWorld();
    // On a busy machine a Sim would say first that it waits for its account.
    await world.ready('CloudAccount', 'default');
    await world.apply(sim({ passCodeSecretRef, activated: true }));
    const first = await world.ready(...SIM);
    await world.simulator.remove('sims', ICCID);
    await eventually(async () => {
      const { status } = await world.ready(...SIM);
      expect(status?.['id']).not.toBe(first.status?.['id']);
    });
    expect(await atService(world)).toMatchObject({ activated: true });
    expect((await world.counts())['POST /commonserviceitem']).toBe(2);
    const story = await eventually(async () => {
      const events = await world.events('truck-17');
      const told = events.map(({ reason, count }) => `${reason} ${count}`).filter((one) => one !== 'NotFound 1');
      return reasonsOf(told, 4);
    });
    expect(story).toEqual(['Created 2', 'Ready 1', 'Vanished 1', 'Ready 1']);
    await world.stop();
  });

  it('whose Secret is corrected while the service refuses what was in it is tried again with what is in it now', async () => {
    const world = await createWorld({ seed: { passCodes: { [ICCID]: 'right' } } });
    await world.ready('CloudAccount', 'default');
    await world.simulator.fault({ route: 'POST /commonserviceitem', hold: true, count: 1, when: 'after' });
    await world.apply(sim({ passCodeSecretRef }));
    const [held] = await world.simulator.holds(10_000);
    await world.patch('Secret', 'pass-codes', { stringData: { code: 'right' } });
    // Its news comes to the operator while the refusal is on its way.
    await world.settle();
    await world.simulator.release(held?.id ?? '');
    await world.ready(...SIM);
    expect((await world.writes()).map((write) => write.split(' ')[0])).toEqual(['POST', 'POST']);
    await world.stop();
  });

  it('that the service goes on refusing for the moment costs no write each time', async () => {
    const world = await createWorld(existing);
    await world.simulator.fault({ route: `PUT ${ITEM}/sim/imeilock`, code: 503 });
    await world.apply(sim({ imeiLock: imei }));
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'ServiceUnavailable' });
    // What the list does not show comes a moment later, and a slow pass says so.
    await eventually(async () => {
      const before = await world.get(...SIM);
      const asked = (await world.requests()).length;
      await eventually(async () => {
        const again = (await world.requests()).slice(asked).filter(({ status }) => status === 503);
        expect(again.length).toBeGreaterThan(5);
      });
      expect((await world.get(...SIM)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });
    await world.stop();
  });

  it('at rest costs no write at all, and its events do not repeat', async () => {
    const world = await createWorld();
    const account = await world.ready('CloudAccount', 'default');
    await world.apply(sim({ passCodeSecretRef, activated: true, imeiLock: imei }));
    await world.ready(...SIM);
    // The carriers, which the list does not show, come with the first audit.
    const before = await eventually(async () => {
      const seen = await world.get(...SIM);
      expect(seen.status).toHaveProperty('carriers');
      return seen;
    });
    await eventually(async () => reasonsOf(await reasons(world), 2));
    await world.forget();
    for (let times = 0; times < 4; times++) await world.settle();
    const after = await world.get(...SIM);
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await world.writes()).toEqual([]);
    expect((await world.events('truck-17')).map(({ reason, count }) => [reason, count])).toEqual([
      ['Created', 1],
      ['Ready', 1],
    ]);
    expect(account.status).toMatchObject({ conditions: [{ type: 'Ready', reason: 'Verified' }] });
    await world.stop();
  });

  it('keeps spec, annotations and labels as they were applied; kubectl diff shows nothing', async () => {
    const world = await createWorld({ applyWith: 'kubectl' });
    const metadata = {
      name: 'truck-17',
      namespace: world.namespace,
      labels: { team: 'trucks' },
      annotations: { 'example.com/note': 'as it was', 'edgeline.dev/reconnect-at': 'now' },
    };
    const spec = {
      passCodeSecretRef,
      activated: true,
      imeiLock: imei,
      carriers: [
        { name: 'SoftBank', allow: false },
        { name: 'KDDI', allow: true },
      ],
    };
    const manifest = { ...sim(spec), metadata };
    await world.apply(manifest);
    const applied = await asStored(world);
    await world.ready(...SIM);
    await world.simulator.patch({ sims: { [ICCID]: { activated: false, carriers: [{ name: 'KDDI', allow: true }] } } });
    await world.settle();
    await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    await world.annotate(...SIM, { 'edgeline.dev/paused': null });
    await world.ready(...SIM);
    await world.settle();
    expect(await asStored(world)).toEqual(applied);
    expect(await kubectlOutput(['diff', '-f', '-'], { input: JSON.stringify(manifest) })).toBe('');
    const told = await kubectlOutput(['describe', 'sim', 'truck-17', '-n', world.namespace]);
    expect(told).toMatch(/Normal\s+Created\s.*Created the SIM as "truck-17"/);
    expect(told).toMatch(/Normal\s+DriftCorrected/);
    await world.stop();
  });
});

/** What belongs to the user, byte by byte. */
async function asStored(world: World): Promise<unknown> {
  const text = await kubectlOutput(['get', 'sim', 'truck-17', '-n', world.namespace, '-o', 'json']);
  const { spec, metadata } = JSON.parse(text);
  const { annotations, labels, generation } = metadata;
  return { spec: JSON.stringify(spec), annotations: JSON.stringify(annotations), labels, generation };
}

describe.concurrent('a field that somebody else sets back each time', () => {
  it('is put right five times at once, then ever more rarely, and at once when a person asks', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: false }));
    await world.ready(...SIM);
    await world.forget();
    for (let count = 1; count <= 5; count++) {
      await world.simulator.patch({ sims: { [ICCID]: { activated: true } } });
      await eventually(async () => expect((await world.writes()).length).toBe(count));
      await world.ready(...SIM);
    }
    await world.simulator.patch({ sims: { [ICCID]: { activated: true } } });
    const { message } = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Contested' });
    expect(message).toMatch(/^Something else keeps changing activated: it was corrected 5 times within an hour\. /);
    expect((await world.get(...SIM)).status?.['drift']).toEqual([
      { field: 'activated', desired: 'false', observed: 'true' },
    ]);
    await world.settle();
    expect((await world.writes()).length).toBe(5);
    await world.annotate(...SIM, { 'edgeline.dev/reconcile-at': 'now' });
    await world.ready(...SIM);
    expect((await world.writes()).length).toBe(6);
    await world.stop();
  });
});
