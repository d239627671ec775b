import { expect, test } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { type Outcome, outcomeOf, ready } from './outcome.ts';
import { iccidOf, onScene, type Scene } from './scene.ts';
import { interrupt } from './story.ts';

const ACTIVATE = 'PUT /commonserviceitem/:id/sim/activate';
const DEACTIVATE = 'PUT /commonserviceitem/:id/sim/deactivate';
const dataLimit = { monthly: '1M', action: 'Deactivate' };

/** A SIM with a limit, and nothing else in its spec. */
function limited(activated: boolean, within: boolean, conditions: readonly string[]): Outcome {
  const { atTheService, resource } = ready({ activated }, 'Adopted', undefined);
  const all = [...conditions, `WithinDataLimit=${within ? 'True' : 'False'}`];
  return { atTheService, ...(resource && { resource: { ...resource, conditions: all } }) };
}

const asFound = limited(true, true, ['Ready=True', 'Synced=True']);
const never = limited(false, false, ['Ready=True', 'Synced=True']);
const neverAfter = limited(false, true, ['Ready=True', 'Synced=True']);
const atRest = limited(false, false, ['Ready=False', 'Synced=True']);
const stopped: Outcome = {
  ...atRest,
  ...(atRest.resource && { resource: { ...atRest.resource, applied: { dataLimit: 'Deactivated' } } }),
};

/** A SIM that was registered and, perhaps, activated by hand. */
async function begin(scene: Scene, subject: string, activated: boolean): Promise<void> {
  await scene.addStored(subject, { name: 'truck', activated });
  await scene.createAccount(subject);
  await scene.createSim(subject, { dataLimit });
  await comesTo(scene, subject, limited(activated, true, ['Ready=True', 'Synced=True']));
}

/** More goes through it than its limit lets. */
async function exceed(scene: Scene, subject: string): Promise<void> {
  await scene.control.patch({
    sims: { [iccidOf(subject)]: { traffic: { uplinkBytes: 2_000_000, downlinkBytes: 0 } } },
  });
  await scene.refresh(subject);
}

async function comesTo(scene: Scene, subject: string, end: Outcome): Promise<void> {
  await eventually(async () => expect(await outcomeOf(scene, subject)).toEqual(end), { timeoutSeconds: 90 });
}

/** A counter that goes down is believed near the turn of a month: the scene is in the middle of one. */
function daysToTheMiddle(day: number): number {
  return day >= 4 && day <= 24 ? 0 : 10;
}

test('an operator killed at whatever call while it stops a SIM for its limit has, started again, stopped it once, and brings it back next month', () =>
  onScene(async (scene) => {
    await scene.moveOn(daysToTheMiddle(new Date().getUTCDate()));
    const bystander = scene.subjects.at(-1) ?? '';
    const { calls, writes } = await interrupt(scene, {
      begin: (subject) => begin(scene, subject, true),
      act: (subject) => exceed(scene, subject),
      end: stopped,
    });
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([
      'PATCH Sim/status',
      DEACTIVATE,
      'PATCH Sim/status',
    ]);
    for (const [title, all] of writes) {
      // The one that is late comes to a SIM that the next operator has stopped, unless that one is later still.
      const isTwice = title.endsWith(`${DEACTIVATE}, which arrives late`) && all.length > 1;
      const expected = isTwice ? [DEACTIVATE, DEACTIVATE] : [DEACTIVATE];
      expect({ title, all }).toEqual({ title, all: expected });
    }
    await begin(scene, bystander, false);
    await exceed(scene, bystander);
    await comesTo(scene, bystander, never);

    const subjects = scene.subjects.slice(0, writes.size + 1);
    await scene.moveOn(31);
    scene.startOperator();
    await Promise.all(subjects.map((subject) => comesTo(scene, subject, asFound)));
    await comesTo(scene, bystander, neverAfter);
    for (const subject of subjects) {
      expect((await scene.writes(subject)).filter((write) => write !== DEACTIVATE)).toEqual([ACTIVATE]);
    }
    expect(await scene.writes(bystander)).toEqual([]);
  }));

test('an operator killed while it stops a SIM whose limit is removed before it is started again has it as it was, whatever arrives late', () =>
  onScene(async (scene) => {
    await scene.moveOn(daysToTheMiddle(new Date().getUTCDate()));
    const { writes } = await interrupt(scene, {
      begin: (subject) => begin(scene, subject, true),
      act: (subject) => exceed(scene, subject),
      end: stopped,
      meanwhile: (subject) => scene.editSim(subject, { dataLimit: null }),
      endAfterAll: ready({ activated: true }, 'Adopted', undefined),
    });
    expect(writes.size).toBeGreaterThan(8);
  }));
