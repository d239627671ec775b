import type { AlwaysInvariant } from './invariant.ts';

/** What a SIM is told to be, each by a call that changes nothing when it is so already. */
const SIM_WRITE = /^(PUT|DELETE) \/commonserviceitem\/:id\/sim\/(?!reconnect)|\/mobilegateway\/sims/;

/** What was done to a SIM, and answered, is not done again while nobody undid it. */
export const doneOnce: AlwaysInvariant = {
  name: 'what is done is not done again',
  watch(scene, say) {
    /** When messages were carried out whose answers nothing spoiled, by message. */
    const carriedOutAt = new Map<number, number>();
    /** By process and message: when it was carried out last, and answered. */
    const done = new Map<string, { readonly carriedOutAt: number; readonly answeredAt: number }>();
    /** By process and gateway: when the service was asked for its SIMs last. A gateway that is deleted takes off what it sees. */
    const askedAt = new Map<string, number>();
    // A list from before shows what was, whatever the operator does.
    const isMisled = scene.script.steps.some(
      (step) =>
        step.what === 'fault' && typeof step.fault === 'object' && Object.values(step.fault).includes('list is stale'),
    );
    return {
      arrived({ fault, isCarriedOut, outcome }) {
        if (scene.cause && isCarriedOut && fault === undefined && typeof outcome === 'number' && outcome < 300)
          carriedOutAt.set(scene.cause.message.serial, scene.world.now());
      },
      message(moment, { serial, route, target, body, process, verb }) {
        if (moment === 'begun' && route === 'list sims') {
          // A process that starts anew knows of nothing.
          for (const key of done.keys()) if (key.startsWith(`${process} `)) done.delete(key);
        }
        const gateway = `${process} ${gatewayOf(target)}`;
        if (route === 'GET /appliance/:id/mobilegateway/sims' && moment === 'arrived')
          askedAt.set(gateway, scene.world.now());
        if (isMisled || verb === 'GET' || !SIM_WRITE.test(route)) return;
        const id = simOf(target, body);
        const key = `${process} ${verb} ${target} ${body ?? ''}`;
        const at = carriedOutAt.get(serial);
        if (moment === 'answered' && at !== undefined)
          done.set(key, { carriedOutAt: at, answeredAt: scene.world.now() });
        if (moment !== 'written') return;
        const before = done.get(key);
        // While the answer is under way somebody may undo it already.
        if (!before || scene.atService.lastChange('sims', id) > before.carriedOutAt) return;
        const isSeenBefore = (askedAt.get(gateway) ?? Infinity) < before.carriedOutAt;
        if (route === 'DELETE /appliance/:id/mobilegateway/sims/:id' && isSeenBefore) return;
        say(
          `${process} sends ${route} for SIM ${id} again, ${((scene.world.now() - before.answeredAt) / 1000).toFixed(1)} s after the answer that it is done`,
        );
      },
    };
  },
};

function gatewayOf(target: string): string {
  return /(\d+)\/mobilegateway\/sims/.exec(target)?.[1] ?? '';
}

function simOf(target: string, body: string | undefined): string {
  const [, registered] = /mobilegateway\/sims\/(\d+)/.exec(target) ?? /"resource_id":"?(\d+)/.exec(body ?? '') ?? [];
  const [, own = ''] = /commonserviceitem\/(\d+)/.exec(target) ?? [];
  return registered ?? own;
}
