import { ELSEWHERE, FORBIDDEN_TOKEN, UNWATCHED } from '../draw/flags.ts';
import { conditionOf } from '../intent.ts';
import { textAt } from '../json.ts';
import { OWN_NAMESPACE, USER } from '../perform.ts';
import { nameOf } from '../scene.ts';
import { live } from './diagnosis.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';

/**
 * With `--namespaces` nothing is asked about any other namespace, let alone about all, and nothing there is written; with `--secrets`
 * no other Secrets are watched. What roles do not grant is refused.
 */
export const staysWithin: AlwaysInvariant = {
  name: 'flags say what is looked after',
  watch(scene, say) {
    const { namespaces, secretNames } = scene.script.setting.flags ?? {};
    if (!namespaces && !secretNames) return {};
    const mayAskAbout = (namespace: string | undefined) =>
      !namespaces || namespace === OWN_NAMESPACE || (namespace !== undefined && namespaces.includes(namespace));
    return {
      message(moment, { to, route, target, process, verb }) {
        if (moment !== 'begun' || to !== 'kubernetes') return;
        const [path = '', query] = target.split('?');
        const [, namespace] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
        const isAboutObjects = /^(list|watch|get|create|patch|update|delete) [a-z]+(\/status)?$/.test(route);
        if (isAboutObjects && !mayAskAbout(namespace))
          say(`${process} asks for ${verb} ${target}, which is not its own`);
        // Whoever is told to read one that is not named is told that this is forbidden.
        if (!secretNames || !/^(list|watch) secrets/.test(route)) return;
        const selectors = new URLSearchParams(query).get('fieldSelector')?.split(',') ?? [];
        if (!selectors.some((one) => secretNames.some((name) => one === `metadata.name=${name}`)))
          say(`${process} asks for ${verb} ${target}, and may read ${secretNames.join(', ')} alone`);
      },
      stored({ new: object, old, resource, user }) {
        const namespace = (object ?? old)?.metadata.namespace;
        if (user !== USER && namespace === UNWATCHED)
          say(
            `${user} writes ${resource} ${namespace}/${(object ?? old)?.metadata.name}, whose namespace is not its own`,
          );
      },
      changed({ account, from, route }) {
        if (namespaces && account === UNWATCHED)
          say(`${from} does ${route} in an account that only ${UNWATCHED} names`);
      },
      arrived({ account, from, route }) {
        if (namespaces && account === UNWATCHED)
          say(`${from} sends ${route} to an account that only ${UNWATCHED} names`);
      },
    };
  },
};

/** Credentials go to hosts that are allowed, and to no other. */
export const hostsAllowed: AlwaysInvariant = {
  name: 'credentials go to allowed hosts alone',
  watch: (scene, say) => ({
    arrived({ from, route }) {
      if (scene.token === FORBIDDEN_TOKEN)
        say(`${from} sends ${route} with credentials for a host that is not allowed`);
    },
  }),
};

/** Whose host is not allowed says so, and what goes by it waits for it; whatever else there is, is as without. */
export const hostsTold: FinalInvariant = {
  name: 'a host that is not allowed is told of',
  check(scene, say) {
    if (!scene.script.setting.flags?.allowedHosts) return;
    const now = scene.world.now();
    for (const account of scene.intent.alive('cloudaccounts', now)) {
      if (account.name !== ELSEWHERE || account.goneAt !== undefined || account.deletedAt !== undefined) continue;
      const ready = conditionOf(account.object, 'Ready');
      if (ready?.status !== 'False' || !['HostNotAllowed', 'Paused'].includes(ready.reason))
        say(`${nameOf(account)} names a host that is not allowed, and says Ready=${ready?.status} ${ready?.reason}`);
    }
    for (const sim of live(scene, 'sims')) {
      if (sim.name === ELSEWHERE && textAt(sim.object, 'status', 'id') !== undefined)
        say(`${nameOf(sim)} has something of an account that is at a host that is not allowed`);
    }
  },
};

/** The rates of SIMs come in steps of five minutes; who got them at last after a minute of tries has its next turn as if at once. Milliseconds. */
const RATE_STEP = 240_000;

/** With `--sim-rates` the rates of SIMs that Sims have are read every five minutes at most, and without it never. */
export const ratesInTurn: AlwaysInvariant = {
  name: 'rates of SIMs come in their turn',
  watch(scene, say) {
    const last = new Map<string, number>();
    /** What came is asked for no more for a while; what failed, or got lost on its way back, is. By serial. */
    const asked = new Map<number, { readonly key: string; readonly writtenAt: number }>();
    return {
      arrived({ from, route, ids: [id], fault }) {
        const { cause } = scene;
        if (!/^GET .*\/sim\/metrics(\/monitor)?$/.test(route) || !cause || cause.isSecond) return;
        if (!scene.script.setting.flags?.simRates) return say(`${from} reads the rates of SIM ${id}, and is not to`);
        if (!scene.intent.all.some(({ plural, ids }) => plural === 'sims' && ids.at(-1) === id))
          say(`${from} reads the rates of SIM ${id}, which no Sim has`);
        const { writtenAt, message } = cause;
        const process = scene.world.processes.find(({ name }) => name === from);
        const key = `${from} ${process?.startedAt} ${id}`;
        const before = last.get(key);
        // One that left before may come after it.
        if (before !== undefined && writtenAt > before && writtenAt - before < RATE_STEP)
          say(`${from} reads the rates of SIM ${id} again after ${((writtenAt - before) / 1000).toFixed(0)} s`);
        if (fault === undefined) asked.set(message.serial, { key, writtenAt });
      },
      message(moment, { serial }, answer) {
        const one = moment === 'answered' ? asked.get(serial) : undefined;
        if (one && answer?.status === 200) last.set(one.key, one.writtenAt);
      },
    };
  },
};

/** The status page is made whatever there is, and asks nobody. */
export const pageShown: AlwaysInvariant = {
  name: 'the status page is made',
  watch: (_, say) => ({
    shown(process, query, status, body) {
      const isStandby = status === 503 && !body.includes('could not be made');
      if (status !== 200 && !isStandby) say(`${process} answers ?${query} with ${status}: ${body.slice(0, 300)}`);
    },
  }),
};
