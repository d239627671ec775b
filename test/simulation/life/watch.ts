import type { World } from '../world/world.ts';
import { createAtService } from './at-service.ts';
import { createIntent } from './intent.ts';
import { createOwnership } from './ownership.ts';
import type { Scene, Violation } from './scene.ts';
import { accountObjectsOf, credentialsOf, openedBy } from './scene.ts';
import type { Act, Script } from './script.ts';
import { createSight } from './sight.ts';
import { alwaysInvariants, finalInvariants } from './invariants/all.ts';

/** Watches a life: what users wanted, what became of it, and which promise was not kept. */
export interface Watcher {
  performed(act: Act): void;
  calm(): void;
  /** A promise was not kept: there is no need to go on. */
  isOver(): boolean;
  /** Lives on until all is at rest, then looks whether it is as it should be. False: it never came to rest. */
  settle(): Promise<boolean>;
  /** After an act in quiet times: all must be as it should be again within so long. */
  encore(within: number, why: string): Promise<void>;
  readonly violations: readonly Violation[];
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What no write of the operator disturbs for so long is at rest: longer than any wait for the outcome of a request. */
const REST = 4 * MINUTE;
/** Longest until all is at rest; with a small hourly limit it takes hours. */
const BOUND = 45 * MINUTE;

export function createWatch(world: World, script: Script): Watcher {
  const violations: Violation[] = [];
  const intent = createIntent(() => world.now());
  const sight = createSight();
  const written = new Map<number, number>();
  const edits = new Map<string, number>();
  const carriedOut = new Set<number>();
  let cause: Scene['cause'];
  let calmSince: number | undefined;
  let lastWrite = 0;

  const atService = createAtService({ world, script, intent });
  const scene: Scene = {
    world,
    atService,
    get ownership() {
      return ownership;
    },
    script,
    intent,
    sight,
    get cause() {
      return cause;
    },
    get calmSince() {
      return calmSince;
    },
    lastEdit: (kind, id) => edits.get(`${kind}/${id}`),
    accountObjects: (incarnation, since) => accountObjectsOf(intent, incarnation, since),
    accountsOf(incarnation, since) {
      const found = new Set<string>();
      for (const account of accountObjectsOf(intent, incarnation, since)) {
        const { namespace, name } = credentialsOf(account);
        for (const token of intent.secretValues(namespace, name, 'accessToken', since)) {
          const opened = openedBy(script, token);
          if (opened !== undefined) found.add(opened);
        }
      }
      return found;
    },
  };
  const ownership = createOwnership(scene);
  const say = (invariant: string) => (message: string) => {
    if (violations.length < 20) violations.push({ invariant, message, at: world.now() });
    world.note(`VIOLATION ${invariant}: ${message}`);
  };
  const always = alwaysInvariants.map(({ name, watch }) => watch(scene, say(name)));
  const finals = finalInvariants.map(({ name, check }) => () => check(scene, say(name)));

  world.onMessage((moment, message, answer) => {
    if (moment === 'written') written.set(message.serial, world.now());
    if (moment === 'arrived') {
      const isSecond = carriedOut.has(message.serial);
      carriedOut.add(message.serial);
      cause = { message, writtenAt: written.get(message.serial) ?? world.now(), isSecond };
      if (message.verb !== 'GET' && !/ (leases|events|.*accounts\/status)$/.test(message.route)) lastWrite = world.now();
    }
    if (moment === 'begun' && message.to === 'service' && message.verb !== 'GET') ownership.begun(message);
    for (const { message: hear } of always) hear?.(moment, message, answer);
  });
  world.apiserver.onChange((change) => {
    intent.stored(change);
    ownership.stored(change);
    for (const { stored } of always) stored?.(change);
  });
  world.service.onChange((change) => {
    for (const { kind, id } of change.from === 'control panel' ? change.objects : []) {
      edits.set(`${kind}/${id}`, world.now());
    }
    atService.changed(change);
    ownership.changed(change);
    for (const { changed } of always) changed?.(change);
  });
  world.service.onArrival((arrival) => {
    for (const { arrived } of always) arrived?.(arrival);
  });
  if (script.setting.logs) {
    world.onLog((process, line) => {
      for (const { logged } of always) logged?.(process, line);
    });
  }

  /** Lives until nothing was written for a while, or the time is over. */
  async function rest(bound: number, quiet: number): Promise<boolean> {
    const end = world.now() + bound;
    lastWrite = Math.max(lastWrite, world.now());
    while (world.now() < end && violations.length === 0) {
      const next = Math.min(end, lastWrite + quiet);
      await world.run(next);
      if (world.now() - lastWrite >= quiet) return true;
    }
    return false;
  }

  function look(): void {
    for (const check of finals) check();
  }

  return {
    performed: (act) => sight.performed(act, world.now()),
    calm() {
      calmSince = world.now();
      sight.calm(world.now());
    },
    isOver: () => violations.length > 0,
    async settle() {
      const isAtRest = await rest(BOUND, REST);
      if (violations.length > 0) return false;
      if (!isAtRest) say('at rest')(`writes go on ${BOUND / MINUTE} minutes after the last fault and edit`);
      else look();
      return isAtRest && violations.length === 0;
    },
    async encore(within, why) {
      const before = violations.length;
      await rest(within, within);
      look();
      if (violations.length > before) world.note(`${why}: not within ${within / SECOND} seconds`);
    },
    violations,
  };
}
