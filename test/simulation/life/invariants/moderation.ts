import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import type { Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const MINUTES_10 = 600_000;
/** More than trouble and users together give reason for. */
const MOST_EVENTS = 80;
const MOST_WRITES = 60;
/** A process that starts anew, or whose clock was set, tries everything again at once; so it is with other credentials, and after a pause. */
const AFTER_EACH = 30;
/** Of an hour that is nearly used up each request is on record before it is sent, and after that. */
const AFTER_REQUEST = 2;
const REQUESTS = 'requests of an hour';
/** What a person changes is tried at once, and before long waits again. */
const AFTER_EDIT = 10;

/** What has gone astray is looked for once a minute, and each step of a life may be a reason to look anew. */
const MOST_LOOKS = 25;
const LOOKS_AFTER_STEP = 2;

/** Neither a flood of Events about one resource, nor of writes of one resource's status, nor of looks at one site. */
export const moderation: AlwaysInvariant = {
  name: 'moderation',
  watch(scene, say) {
    const counts = new Map<string, number[]>();
    const told = new Set<string>();
    const disturbances = scene.script.steps.filter(isDisturbance).length;
    const mostLooks = MOST_LOOKS + LOOKS_AFTER_STEP * scene.script.steps.length;
    function noted(key: string): number {
      const now = scene.world.now();
      const times = (counts.get(key) ?? []).filter((at) => at > now - MINUTES_10);
      times.push(now);
      counts.set(key, times);
      return times.length;
    }
    function count(key: string, most: number, what: string): void {
      const times = noted(key);
      const edits = counts.get(`edits of ${key}`)?.length ?? 0;
      if (times < most + disturbances * AFTER_EACH + edits * AFTER_EDIT || told.has(key)) return;
      told.add(key);
      say(`${times} ${what} within ten minutes`);
    }
    return {
      arrived({ route }) {
        if (route.includes('webaccel')) noted(REQUESTS);
      },
      message(moment, { route, target }) {
        if (moment !== 'written' || route !== 'GET webaccel/site/:id/certificate') return;
        const times = noted(target);
        if (times > mostLooks && !told.has(target)) {
          told.add(target);
          say(`${times} looks at ${target} within ten minutes, and an hour has few requests`);
        }
      },
      stored({ new: object, resource, user }) {
        if (!object || resource === 'leases') return;
        if (user === USER) {
          noted(`edits of ${resource} ${object.metadata.namespace}/${object.metadata.name}`);
          return;
        }
        if (resource === 'events') {
          const about = `${textAt(object, 'regarding', 'kind')} ${textAt(object, 'regarding', 'namespace')}/${textAt(object, 'regarding', 'name')}`;
          count(`events ${about}`, MOST_EVENTS, `Events about ${about}`);
        } else {
          const name = `${resource} ${object.metadata.namespace}/${object.metadata.name}`;
          const requests = resource.endsWith('cloudaccounts') ? (counts.get(REQUESTS)?.length ?? 0) : 0;
          count(name, MOST_WRITES + AFTER_REQUEST * requests, `writes of ${name}`);
        }
      },
    };
  },
};

function isDisturbance(step: Scene['script']['steps'][number]): boolean {
  if (step.what === 'create') return step.ref.plural === 'secrets' && step.ref.name.endsWith('-credentials');
  if (step.what === 'patch') return JSON.stringify(step.patch).includes('"edgeline.dev/paused":null');
  return step.what === 'kill' || step.what === 'stop' || step.what === 'step clock';
}

/** A reconnect is pressed once for each value of its annotation; again only when nobody got an answer that can be read. */
export const reconnectedOnce: AlwaysInvariant = {
  name: 'reconnected once',
  watch(scene, say) {
    const pressed = new Map<string, number>();
    /** The numbers of requests whose answers say nothing, whatever their status. */
    const unreadable = new Set<number>();
    return {
      arrived({ fault }) {
        if (fault !== undefined && scene.cause) unreadable.add(scene.cause.message.serial);
      },
      message(moment, { route, target, process, serial }, answer) {
        if (moment !== 'answered' || answer?.status !== 200 || unreadable.has(serial)) return;
        if (route !== 'PUT /commonserviceitem/:id/sim/reconnect') return;
        const id = /commonserviceitem\/([^/]+)/.exec(target)?.[1] ?? '';
        const times = (pressed.get(id) ?? 0) + 1;
        pressed.set(id, times);
        const asked = askedReconnects(scene, id);
        // Who died with the answer does not know that it was pressed.
        const restarts = scene.script.steps.filter(
          ({ what }) => what === 'kill' || what === 'stop' || what === 'fault',
        ).length;
        if (times > asked + restarts)
          say(`${process} presses reconnect of SIM ${id} for the ${times}th time, and it was asked for ${asked} times`);
      },
    };
  },
};

function askedReconnects(scene: Scene, id: string): number {
  const iccid = scene.atService.now('sims', id)?.iccid;
  const values = scene.intent.all
    .filter(({ plural, versions }) => plural === 'sims' && versions.some(({ spec }) => spec['iccid'] === iccid))
    .flatMap(({ uid, versions }) =>
      versions.map(({ annotations }) => `${uid} ${annotations['edgeline.dev/reconnect-at']}`),
    )
    .filter((value) => !value.endsWith(' undefined'));
  return new Set(values).size;
}

/**
 * So many registrations go to a gateway that is gone before its own resource knows it: what is new is tried every two seconds
 * at first, and then whenever an eighth of its age has passed, which is 25 times in its first two minutes.
 */
const MOST_VAIN = 25;

/** A gateway that is gone is left alone: nobody goes on registering SIMs with it. */
export const leftAlone: AlwaysInvariant = {
  name: 'a gateway that is gone is left alone',
  watch(scene, say) {
    const times = new Map<string, number[]>();
    return {
      message(moment, { route, target, process, body }) {
        if (moment !== 'written' || route !== 'POST /appliance/:id/mobilegateway/sims') return;
        const id = /appliance\/([^/]+)/.exec(target)?.[1] ?? '';
        const wentAt = scene.atService.lastChange('gateways', id);
        if (wentAt === 0 || scene.atService.now('gateways', id) !== undefined) return;
        const now = scene.world.now();
        const key = `${process} ${id} ${body}`;
        const lately = [...(times.get(key) ?? []), now].filter((at) => at > now - MINUTES_10);
        times.set(key, lately);
        if (lately.length > MOST_VAIN) {
          const ago = Math.round((now - wentAt) / 1000);
          say(
            `${process} registers a SIM with gateway ${id} for the ${lately.length}th time, and it went ${ago} s ago`,
          );
        }
      },
    };
  },
};
