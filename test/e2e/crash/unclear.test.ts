import { describe, expect, test } from 'vitest';
import type { FaultInput } from '../../../src/simulator/faults.ts';
import { eventually } from '../../support/kubernetes.ts';
import { outcomeOf, ready } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';

const fields = {
  displayName: 'truck',
  activated: true,
  imeiLock: '356938035643809',
  carriers: [
    { name: 'KDDI', allow: true },
    { name: 'SoftBank', allow: false },
  ],
};
const spec = { ...fields, passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
const created = ready({ activated: true, imeiLock: '356938035643809', notAllowed: ['SoftBank'] }, 'Created', fields);

/** Ways in which an answer leaves it open whether the request was carried out. */
const ailments: readonly Omit<FaultInput, 'route'>[] = [
  { when: 'before', cut: true },
  { when: 'after', cut: true },
  { when: 'before', garbage: true },
  { when: 'after', garbage: true },
  { when: 'before', code: 500 },
  { when: 'after', code: 500 },
  { when: 'after', code: 503, errorCode: 'operation_timeout' },
  { when: 'before', code: 503, errorCode: 'service_temporarily_unavailable' },
];

describe.concurrent('an operator that does not learn whether its call was carried out', () => {
  async function create(scene: Scene, subject: string): Promise<void> {
    await scene.createAccount(subject);
    await scene.createSim(subject, spec);
  }

  /**
   * Each fault meets the request of one Sim, whichever comes first; waits until all Sims have been created all the same.
   * Gives back how often each fault was met.
   */
  async function survive(scene: Scene, faults: readonly FaultInput[]): Promise<number[]> {
    const skipped = new Map<string, number>();
    for (const fault of faults) {
      const route = fault.route ?? '*';
      const skip = skipped.get(route) ?? 0;
      skipped.set(route, skip + 1);
      await scene.control.fault({ ...fault, skip, count: 1 });
    }
    const subjects = scene.subjects.slice(0, faults.length);
    scene.startOperator();
    await Promise.all(subjects.map((subject) => create(scene, subject)));
    await eventually(
      async () => {
        const outcomes = await Promise.all(subjects.map((subject) => outcomeOf(scene, subject)));
        expect(outcomes).toEqual(subjects.map(() => created));
      },
      { timeoutSeconds: 90 },
    );
    return (await scene.control.faults()).map(({ fired }) => fired);
  }

  test('ends with exactly one SIM when the creation was unclear', () =>
    onScene(async (scene) => {
      const faults = [...ailments, { when: 'after', stall: true } as const].map((ailment) => ({
        ...ailment,
        route: 'POST /commonserviceitem',
      }));
      expect(await survive(scene, faults)).toEqual(faults.map(() => 1));
    }));

  test('ends with exactly one SIM, as its spec says, when a later write was unclear', () =>
    onScene(async (scene) => {
      const faults = ['network_operator_config', 'activate', 'imeilock'].flatMap((name) =>
        ailments.map((ailment) => ({ ...ailment, route: `PUT /commonserviceitem/:id/sim/${name}` })),
      );
      expect(await survive(scene, faults)).toEqual(faults.map(() => 1));
    }));
});
