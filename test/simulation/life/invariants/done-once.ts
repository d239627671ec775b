import type { AlwaysInvariant } from './invariant.ts';

/** What a SIM is told to be, each by a call that changes nothing when it is so already. */
const SIM_WRITE = /^(PUT|DELETE) \/commonserviceitem\/:id\/sim\/(?!reconnect)|\/mobilegateway\/sims/;

/** What was done to a SIM, and answered, is not done again while nobody undid it. */
export const doneOnce: AlwaysInvariant = {
  name: 'what is done is not done again',
  watch(scene, say) {
    /** Messages that were carried out, and whose answers nothing spoiled. */
    const sound = new Set<number>();
    /** By process and message: when the SIM last became another, as of the answer. */
    const done = new Map<string, { readonly id: string; readonly changedAt: number; readonly at: number }>();
    // A list from before shows what was, whatever the operator does.
    const isMisled = scene.script.steps.some(
      (step) =>
        step.what === 'fault' && typeof step.fault === 'object' && Object.values(step.fault).includes('list is stale'),
    );
    return {
      arrived({ fault, isCarriedOut, outcome }) {
        if (scene.cause && isCarriedOut && fault === undefined && typeof outcome === 'number' && outcome < 300)
          sound.add(scene.cause.message.serial);
      },
      message(moment, { serial, route, target, body, process, verb }) {
        if (moment === 'begun' && route === 'list sims') {
          // A process that starts anew knows of nothing.
          for (const key of done.keys()) if (key.startsWith(`${process} `)) done.delete(key);
        }
        if (isMisled || verb === 'GET' || !SIM_WRITE.test(route)) return;
        const id = simOf(target, body);
        const key = `${process} ${verb} ${target} ${body ?? ''}`;
        const changedAt = scene.atService.lastChange('sims', id);
        if (moment === 'answered' && sound.has(serial)) done.set(key, { id, changedAt, at: scene.world.now() });
        if (moment !== 'written') return;
        const before = done.get(key);
        if (!before || before.changedAt !== changedAt) return;
        say(
          `${process} sends ${route} for SIM ${id} again, ${((scene.world.now() - before.at) / 1000).toFixed(1)} s after the answer that it is done`,
        );
      },
    };
  },
};

function simOf(target: string, body: string | undefined): string {
  const [, registered] = /mobilegateway\/sims\/(\d+)/.exec(target) ?? /"resource_id":"?(\d+)/.exec(body ?? '') ?? [];
  const [, own = ''] = /commonserviceitem\/(\d+)/.exec(target) ?? [];
  return registered ?? own;
}
