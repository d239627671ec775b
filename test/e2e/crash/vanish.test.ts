import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { outcomeOf, ready } from './outcome.ts';
import { iccidOf, onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const created = ready({ name: 'its own' }, 'Created', undefined);

describe.concurrent('an operator killed at whatever call while it creates a SIM anew that vanished', () => {
  /** What was taken over, for of what it made itself the operator waits minutes for the service to show it. */
  async function adopt(scene: Scene, subject: string): Promise<void> {
    await scene.addStored(subject, { name: 'truck' });
    await scene.createAccount(subject);
    await scene.createSim(subject, { passCodeSecretRef });
    const adopted = ready({}, 'Adopted', undefined);
    await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(adopted), { timeoutSeconds: 90 });
  }

  async function vanish(scene: Scene, subject: string): Promise<void> {
    await scene.control.remove('sims', iccidOf(subject));
    await scene.refresh(subject);
  }

  test('ends, started again, with exactly one SIM, which counts as created', () =>
    onScene(async (scene) => {
      const { writes } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject),
        act: (subject) => vanish(scene, subject),
        end: created,
      });
      for (const [title, all] of writes) {
        const creations = all.filter((write) => write.startsWith('POST '));
        expect({ title, creations }).toEqual({ title, creations: ['POST /commonserviceitem'] });
      }
    }));

  test('leaves nothing behind when the Sim is deleted before it is started again', () =>
    onScene(async (scene) => {
      const { calls, callsSince } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject),
        act: (subject) => vanish(scene, subject),
        end: created,
        meanwhile: (subject) => scene.deleteSim(subject),
        endAfterAll: { atTheService: [] },
      });
      expect(calls).toContain('POST /commonserviceitem');
      expect(callsSince.size).toBeGreaterThan(10);
    }));
});

describe.concurrent('an operator that was down', () => {
  test('deletes no SIM that somebody registered in place of its own', () =>
    onScene(async (scene) => {
      const subject = 'sim-0';
      const operator = scene.startOperator();
      await scene.createAccount(subject);
      await scene.createSim(subject, { passCodeSecretRef });
      await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(created), { timeoutSeconds: 90 });
      await operator.kill();
      await scene.control.remove('sims', iccidOf(subject));
      await scene.addStored(subject, { name: 'truck' });
      await scene.deleteSim(subject);
      scene.startOperator();
      const left = { atTheService: ready({}, 'Created', undefined).atTheService };
      await eventually(async () => expect(await scene.sim(subject)).toBeUndefined(), { timeoutSeconds: 90 });
      expect(await outcomeOf(scene, subject)).toEqual(left);
    }));
});
