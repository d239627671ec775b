import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type Seen, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const ID = '113300000017';
const SIM = ['Sim', 'truck-17'] as const;
const ITEM = '/commonserviceitem/:id';
const APPROVE = 'edgeline.dev/approve';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const existing = { seed: { sims: [{ id: ID, iccid: ICCID, name: 'old', activated: false }] } };
const imei = '356938035643809';
const pending = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object, annotations?: Record<string, string>): object {
  const metadata = { name: 'truck-17', ...(annotations && { annotations }) };
  const policy = { managementPolicy: 'Approve' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...policy, ...spec } };
}

interface Plan {
  readonly hash: string;
  readonly calls: readonly { step: string; fields?: readonly object[] }[];
  readonly continues?: boolean;
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the schema says
const planOf = ({ status }: Seen) => status?.['plan'] as Plan | undefined;
const stepsOf = (plan: Plan | undefined) => plan?.calls.map(({ step }) => step);

/** The plan that waits for approval, once it is another than `before`. */
async function asked(world: World, before?: Plan): Promise<Plan> {
  await world.condition(...SIM, pending);
  return eventually(async () => {
    const plan = planOf(await world.get(...SIM));
    if (!plan || plan.hash === before?.hash) throw new Error('no new plan waits');
    return plan;
  });
}

const eventsOf = async (world: World) =>
  (await world.events('truck-17')).filter(({ reason }) => reason === 'ApprovalPending');
const approve = (world: World, hash: string | null) => world.annotate(...SIM, { [APPROVE]: hash });

describe.concurrent('a Sim with managementPolicy: Approve', () => {
  it('that is new shows its plan, sends nothing, and carries out exactly that once it is approved', async () => {
    const world = await createWorld();
    await world.apply(sim({ activated: true, imeiLock: imei, passCodeSecretRef }));
    const plan = await asked(world);
    expect(plan).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      calls: [
        {
          step: 'create',
          fields: [
            { field: 'displayName', before: 'none', after: 'truck-17' },
            { field: 'iccid', before: 'none', after: ICCID },
            { field: 'passCodeSecretRef', before: 'none', after: '(secret)' },
          ],
        },
        { step: 'activate', fields: [{ field: 'activated', before: 'false', after: 'true' }] },
        { step: 'lockIMEI', fields: [{ field: 'imeiLock', before: 'not locked', after: imei }] },
      ],
    });
    await world.settle();
    expect(await world.writes()).toEqual([]);
    expect((await world.get(...SIM)).metadata.finalizers).toBeUndefined();
    const [told] = await eventually(async () => {
      const all = await eventsOf(world);
      expect(all).toHaveLength(1);
      return all;
    });
    expect(told?.note).toContain(`edgeline approve sim/truck-17 -n ${world.namespace} --hash ${plan.hash}`);

    await approve(world, plan.hash);
    const { status } = await world.ready(...SIM);
    expect(status).not.toHaveProperty('plan');
    expect(status).not.toHaveProperty('approval');
    expect((await world.writes()).map((write) => write.replace(/ \{.*/, ''))).toEqual([
      'POST /commonserviceitem',
      `PUT ${ITEM}/sim/activate`,
      `PUT ${ITEM}/sim/imeilock`,
    ]);
    await world.stop();
  });

  it('is taken over without asking, goes on working while a change waits, and Drift asks anew each time', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true }));
    const first = await asked(world);
    expect(stepsOf(first)).toEqual(['activate']);
    expect((await world.get(...SIM)).metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    await approve(world, first.hash);
    await world.ready(...SIM);

    // The annotation stays, as in Git: the same drift, and the same plan, are not approved by it.
    await world.simulator.patch({ sims: { [ICCID]: { activated: false } } });
    const second = await asked(world);
    expect(stepsOf(second)).toEqual(['activate']);
    expect(second.hash).not.toBe(first.hash);
    await world.settle();
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/activate`]);
    await approve(world, second.hash);
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/activate`, `PUT ${ITEM}/sim/activate`]);
    await world.stop();
  });

  it('whose facts change meanwhile asks for another plan, and the first hash is worth nothing', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true }));
    const first = await asked(world);
    await world.apply(sim({ activated: true, imeiLock: imei }));
    const second = await asked(world, first);
    expect(stepsOf(second)).toEqual(['activate', 'lockIMEI']);
    await approve(world, first.hash);
    const { message } = await eventually(async () => {
      const condition = await world.condition(...SIM, pending);
      expect(condition.message).toContain(first.hash);
      return condition;
    });
    expect(message).toContain('which is not the hash of this plan');
    expect(message).toContain(second.hash);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    // Back to what it was, it is another asking, too: a generation of the spec never comes back.
    await world.apply(sim({ activated: true }));
    const third = await asked(world, second);
    expect(stepsOf(third)).toEqual(['activate']);
    expect(third.hash).not.toBe(first.hash);
    await approve(world, third.hash);
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/activate`]);
    await world.stop();
  });

  it('asks for its deletion, too, and is let go of without it by deletionPolicy: Orphan', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ deletionPolicy: 'Delete' }));
    await world.ready(...SIM);
    await world.delete(...SIM);
    const plan = await asked(world);
    expect(stepsOf(plan)).toEqual(['delete']);
    const { message } = await world.condition(...SIM, pending);
    expect(message).toContain('set deletionPolicy: Orphan');
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await approve(world, plan.hash);
    await world.gone(...SIM);
    expect(await world.writes()).toEqual([`DELETE ${ITEM}`]);
    await world.stop();
  });

  it('is not approved by the hash of an object of the same name that was there before', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true }));
    const first = await asked(world);
    await world.delete(...SIM);
    await world.gone(...SIM);
    await world.apply(sim({ activated: true }, { [APPROVE]: first.hash }));
    const second = await asked(world, first);
    await world.settle();
    expect(second.hash).not.toBe(first.hash);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('with carriers asks twice, because what a new SIM has shows only when it is there', async () => {
    const world = await createWorld();
    const carriers = [
      { name: 'KDDI', allow: true },
      { name: 'SoftBank', allow: false },
    ];
    await world.apply(sim({ activated: true, carriers, passCodeSecretRef }));
    const first = await asked(world);
    expect([stepsOf(first), first.continues]).toEqual([['create'], true]);
    await approve(world, first.hash);
    const second = await asked(world, first);
    expect(stepsOf(second)).toEqual(['setCarriers', 'activate']);
    await approve(world, second.hash);
    await world.ready(...SIM);
    await world.stop();
  });

  it('has what an approved plan could not finish done later, without asking again', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ activated: true, imeiLock: imei }));
    const plan = await asked(world);
    await world.simulator.fault({ route: `PUT ${ITEM}/sim/imeilock`, code: 423, count: 2 });
    await approve(world, plan.hash);
    await world.ready(...SIM);
    const writes = await world.writes();
    expect(writes.filter((write) => write.includes('activate'))).toHaveLength(1);
    await eventually(async () => expect(await eventsOf(world)).toHaveLength(1));
    await world.stop();
  });
});

describe.concurrent('a Sim with managementPolicy: ApproveChanges', () => {
  it('repairs drift without asking, and asks for what the spec changes', async () => {
    const world = await createWorld(existing);
    await world.apply(sim({ managementPolicy: 'ApproveChanges', activated: true }));
    await approve(world, (await asked(world)).hash);
    await world.ready(...SIM);
    await world.simulator.patch({ sims: { [ICCID]: { activated: false } } });
    await eventually(async () => expect(await world.writes()).toHaveLength(2));
    await world.ready(...SIM);
    await world.apply(sim({ managementPolicy: 'ApproveChanges', activated: false }));
    expect(stepsOf(await asked(world))).toEqual(['deactivate']);
    await world.settle();
    expect(await world.writes()).toHaveLength(2);
    await world.stop();
  });
});

describe.concurrent('an account with approval', () => {
  it('asks for every resource, whatever its policy says, and no more once it asks nothing', async () => {
    const world = await createWorld(existing);
    await world.patch('CloudAccount', 'default', { spec: { approval: { policy: 'Everything' } } });
    await world.apply(sim({ managementPolicy: 'Manage', activated: true }));
    await asked(world);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { approval: { policy: 'Everything', exempt: ['Sim'] } } });
    await world.ready(...SIM);
    expect(await world.writes()).toEqual([`PUT ${ITEM}/sim/activate`]);
    await world.stop();
  });
});
