import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { createDirector, type Director } from './director.ts';
import type { OperatorProcess } from './operator-process.ts';
import { outcomeOf, ready } from './outcome.ts';
import { onScene, type Scene } from './scene.ts';

const subject = 'sim-0';
const lease = 'edgeline-operator';
const carriers = [
  { name: 'KDDI', allow: true },
  { name: 'SoftBank', allow: false },
];
const spec = {
  displayName: 'truck',
  passCodeSecretRef: { name: 'pass-codes', key: 'code' },
  activated: true,
  carriers,
};
const post = 'POST /commonserviceitem';
const putCarriers = 'PUT /commonserviceitem/:id/sim/network_operator_config';

/** Both operators' calls of the service go through the scene's director; each one's of Kubernetes through its own. */
describe.concurrent('two operators of which one leads', () => {
  interface Rival {
    readonly operator: OperatorProcess;
    readonly director: Director;
  }

  async function startRival(scene: Scene): Promise<Rival> {
    const director = createDirector();
    director.follow(subject);
    return { director, operator: await scene.startRival(director) };
  }

  /** Starts two, the first of which leads, and has it stop at a point while it creates a SIM. Milliseconds. */
  async function stopLeaderAt(
    scene: Scene,
    route: string,
    when: 'before' | 'after',
    standbyFor = 0,
  ): Promise<{ leader: Rival; standby: Rival }> {
    const leader = await startRival(scene);
    await eventually(() => expect(leader.operator.log()).toContain('"message":"leading"'));
    const standby = await startRival(scene);
    await eventually(() => expect(standby.operator.log()).toContain('caches are synced'));
    await sleep(standbyFor);
    scene.director.follow(subject, { route, nth: 1, when });
    await scene.createAccount(subject);
    await scene.createSim(subject, spec);
    await eventually(() => expect(scene.director.isHeld(subject)).toBe(true));
    return { leader, standby };
  }

  test('never act both: one that was stopped for longer than its lease writes nothing more, and ends', () =>
    onScene(async (scene) => {
      const { leader, standby } = await stopLeaderAt(scene, putCarriers, 'after');
      leader.operator.signal('SIGSTOP');
      // The answer reaches a process that sleeps; when it wakes up, its next call would be to activate the SIM.
      scene.director.decide(subject, 'release');
      scene.director.follow(subject);
      await eventually(() => expect(standby.operator.log()).toContain('"message":"leading"'), { timeoutSeconds: 90 });
      const asWanted = ready({ activated: true, notAllowed: ['SoftBank'] }, 'Created', {
        displayName: 'truck',
        activated: true,
        carriers,
      });
      await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(asWanted), { timeoutSeconds: 90 });
      await scene.editSim(subject, { activated: false });
      const edited = ready({ notAllowed: ['SoftBank'] }, 'Created', {
        displayName: 'truck',
        activated: false,
        carriers,
      });
      await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(edited), { timeoutSeconds: 90 });

      const before = await scene.writes(subject);
      leader.director.follow(subject);
      // It can't ask whether it still leads: its own clock has to tell it.
      leader.director.follow(lease, { route: 'PUT Lease', nth: 1, when: 'before' });
      leader.operator.signal('SIGCONT');
      // One that was stopped in the middle of a renewal knows at once, and asks no more.
      const asksOrEnds = eventually(() => expect(leader.director.isHeld(lease)).toBe(true));
      await Promise.race([asksOrEnds, leader.operator.exited]);
      asksOrEnds.catch(() => undefined);
      await sleep(1000);
      expect(await scene.writes(subject)).toEqual(before);
      leader.director.decide(lease, 'release');
      expect(await leader.operator.exited).toBe(1);
      expect(await scene.writes(subject)).toEqual(before);
      expect(leader.director.calls(subject)).toEqual([]);
      expect(await outcomeOf(scene, subject)).toEqual(edited);
    }));

  test('create one SIM, though the first was asked to end while its creation was on the way', () =>
    onScene(async (scene) => {
      // The standby's own start is long past: only the moment it took over tells it what may still be under way.
      const { leader, standby } = await stopLeaderAt(scene, post, 'before', 6000);
      leader.operator.signal('SIGTERM');
      await leader.operator.exited;
      expect((await scene.sim(subject))?.status?.conditions ?? []).toEqual([]);
      await eventually(() => expect(standby.operator.log()).toContain('"message":"leading"'), { timeoutSeconds: 90 });
      await sleep(1500);
      scene.director.decide(subject, 'release');
      const created = ready({ activated: true, notAllowed: ['SoftBank'] }, 'Created', {
        displayName: 'truck',
        activated: true,
        carriers,
      });
      await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(created), { timeoutSeconds: 90 });
      await sleep(1000);
      expect((await scene.writes(subject)).filter((write) => write === post)).toEqual([post]);
    }));
});
