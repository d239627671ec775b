import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { outcomeOf, ready } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';

const subject = 'sim-0';
const fields = { displayName: 'truck', activated: true, imeiLock: '356938035643809' };
const spec = { ...fields, passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
const created = ready({ activated: true, imeiLock: '356938035643809' }, 'Created', fields);

describe.concurrent('an operator that is asked to end', () => {
  async function endWhenHeldAt(scene: Scene, route: string, fate: 'release' | 'drop'): Promise<void> {
    const operator = scene.startOperator();
    scene.director.follow(subject, { route, nth: 1, when: 'before' });
    await scene.createAccount(subject);
    await scene.createSim(subject, spec);
    await eventually(() => expect(scene.director.isHeld(subject)).toBe(true));
    operator.signal('SIGTERM');
    expect(await operator.exited).toBe(0);
    scene.director.decide(subject, fate);
    scene.director.follow(subject);
  }

  async function endsWell(scene: Scene, end = created): Promise<void> {
    scene.startOperator();
    await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(end), { timeoutSeconds: 90 });
  }

  test('does not show its own end as trouble of the resource', () =>
    onScene(async (scene) => {
      await endWhenHeldAt(scene, 'POST /commonserviceitem', 'release');
      expect((await scene.sim(subject))?.status).toEqual({ observedGeneration: -1 });
      await endsWell(scene);
    }));

  test('leaves on record what it has created', () =>
    onScene(async (scene) => {
      await endWhenHeldAt(scene, 'PUT /commonserviceitem/:id/sim/activate', 'drop');
      const [stored] = await scene.stored(subject);
      const { id, ownership, applied, pending, conditions } = (await scene.sim(subject))?.status ?? {};
      expect({
        id,
        ownership,
        applied,
        pending,
        reasons: conditions?.map(({ type, reason }) => [type, reason]),
      }).toEqual({
        id: stored?.id,
        ownership: 'Created',
        applied: { displayName: 'truck' },
        pending: ['activated', 'imeiLock'],
        reasons: [
          ['Ready', 'Applying'],
          ['Synced', 'Applying'],
          ['Reconciling', 'Applying'],
        ],
      });
      await endsWell(scene);
    }));

  test('un-sets when it is back what its last call set and the spec no longer says', () =>
    onScene(async (scene) => {
      await endWhenHeldAt(scene, 'PUT /commonserviceitem/:id/sim/activate', 'release');
      await eventually(async () => expect((await scene.stored(subject))[0]?.activated).toBe(true));
      await scene.editSim(subject, { activated: null });
      await endsWell(
        scene,
        ready({ imeiLock: '356938035643809' }, 'Created', { displayName: 'truck', imeiLock: '356938035643809' }),
      );
    }));
});
