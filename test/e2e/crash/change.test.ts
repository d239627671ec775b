import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { type Outcome, outcomeOf, ready } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

const [one, other] = ['356938035643809', '490154203237518'];
const only = (carrier: string) => ['KDDI', 'SoftBank'].map((name) => ({ name, allow: name === carrier }));
const set = { activated: true, imeiLock: one, carriers: only('KDDI') };
const asSet = ready({ activated: true, imeiLock: one, notAllowed: ['SoftBank', 'NTT DOCOMO'] }, 'Adopted', set);
const asFound = ready({ notAllowed: ['NTT DOCOMO'] }, 'Adopted', undefined);
/** Somebody has forbidden it a carrier that no spec here names. */
const found = {
  name: 'truck',
  carriers: ['KDDI', 'SoftBank', 'NTT DOCOMO'].map((name) => ({ name, allow: name !== 'NTT DOCOMO' })),
};
const nothing = { activated: null, imeiLock: null, carriers: null };

describe('an operator killed at whatever call while it changes a SIM', () => {
  /** A SIM that was there, taken over with that spec. */
  async function adopt(scene: Scene, subject: string, spec: object, end: Outcome): Promise<void> {
    await scene.addStored(subject, found);
    await scene.createAccount(subject);
    await scene.createSim(subject, spec);
    await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(end), { timeoutSeconds: 90 });
  }

  test('has, started again, taken it over and brought it to its spec', () =>
    onScene(async (scene) => {
      const { calls } = await interrupt(scene, {
        async begin(subject) {
          await scene.addStored(subject, found);
          await scene.createAccount(subject);
        },
        act: (subject) => scene.createSim(subject, set),
        end: asSet,
      });
      expect(calls).not.toContain('POST /commonserviceitem');
    }));

  test('un-sets what an adoption may have set and the spec no longer says', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        async begin(subject) {
          await scene.addStored(subject, found);
          await scene.createAccount(subject);
        },
        act: (subject) => scene.createSim(subject, set),
        end: asSet,
        meanwhile: (subject) => scene.editSim(subject, nothing),
        endAfterAll: asFound,
      });
      expect(callsSince.size).toBeGreaterThan(16);
    }));

  test('un-sets what was added, may have been set, and is no longer in the spec', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject, {}, asFound),
        act: (subject) => scene.editSim(subject, set),
        end: asSet,
        meanwhile: (subject) => scene.editSim(subject, nothing),
        endAfterAll: asFound,
      });
      expect(callsSince.size).toBeGreaterThan(10);
    }));

  test('takes back an edit that may have been carried out and was taken back in the spec', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject, set, asSet),
        act: (subject) => scene.editSim(subject, { activated: false, imeiLock: other, carriers: only('SoftBank') }),
        end: ready({ imeiLock: other, notAllowed: ['KDDI', 'NTT DOCOMO'] }, 'Adopted', {
          activated: false,
          imeiLock: other,
          carriers: only('SoftBank'),
        }),
        meanwhile: (subject) => scene.editSim(subject, set),
        endAfterAll: asSet,
        mayArriveLate: () => false,
      });
      expect(callsSince.size).toBeGreaterThan(10);
    }));

  test('un-sets everything that left the spec', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject, set, asSet),
        act: (subject) => scene.editSim(subject, nothing),
        end: asFound,
      });
      expect(callsSince.size).toBeGreaterThan(10);
    }));

  test('sets again what left the spec, may have been un-set, and came back', () =>
    onScene(async (scene) => {
      const { callsSince } = await interrupt(scene, {
        begin: (subject) => adopt(scene, subject, set, asSet),
        act: (subject) => scene.editSim(subject, nothing),
        end: asFound,
        meanwhile: (subject) => scene.editSim(subject, set),
        endAfterAll: asSet,
        mayArriveLate: () => false,
      });
      expect(callsSince.size).toBeGreaterThan(10);
    }));
});
