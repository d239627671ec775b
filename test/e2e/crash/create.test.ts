import { describe, expect, test } from 'vitest';
import { ready } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const carriers = [
  { name: 'KDDI', allow: true },
  { name: 'SoftBank', allow: false },
];
const fields = { displayName: 'truck', activated: true, imeiLock: '356938035643809', carriers };
const created = ready({ activated: true, imeiLock: '356938035643809', notAllowed: ['SoftBank'] }, 'Created', fields);

describe.concurrent('an operator killed at whatever call while it creates a SIM', () => {
  async function create(scene: Scene, subject: string): Promise<void> {
    await scene.createAccount(subject);
    await scene.createSim(subject, { passCodeSecretRef, ...fields });
  }

  test('ends, started again, with exactly one SIM as the spec says', () =>
    onScene(async (scene) => {
      const { calls, callsSince, writes } = await interrupt(scene, {
        act: (subject) => create(scene, subject),
        end: created,
      });
      for (const [title, since] of callsSince) {
        const strange = since.filter((call) => !call.startsWith('GET ') && !calls.includes(call));
        expect({ title, strange }).toEqual({ title, strange: [] });
      }
      for (const [title, all] of writes) {
        const creations = all.filter((write) => write.startsWith('POST '));
        expect({ title, creations }).toEqual({ title, creations: ['POST /commonserviceitem'] });
      }
    }));

  test('leaves nothing behind when the Sim is deleted before it is started again', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        act: (subject) => create(scene, subject),
        end: created,
        meanwhile: (subject) => scene.deleteSim(subject),
        endAfterAll: { atTheService: [] },
      });
      expect(callsSince.size).toBeGreaterThan(20);
    }));

  test('un-sets what it may have set when the spec no longer says it', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        act: (subject) => create(scene, subject),
        end: created,
        meanwhile: (subject) => scene.editSim(subject, { activated: null, imeiLock: null, carriers: null }),
        endAfterAll: ready({}, 'Created', { displayName: 'truck' }),
        mayArriveLate: (route) => route.startsWith('POST '),
      });
      expect(callsSince.size).toBeGreaterThan(16);
    }));
});
