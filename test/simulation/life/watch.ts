import type { StoredChange, StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';
import { NAMESPACE_CONTROLLER } from '../../../src/shadow/apiserver/controllers.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import type { HttpAnswer } from '../../../src/telemetry/http.ts';
import { createAtService } from './at-service.ts';
import { createCalmness, LOOKS_AT_CREDENTIALS } from './calmness.ts';
import { ETCD } from './etcd.ts';
import { conditionOf, createIntent, type Incarnation } from './intent.ts';
import { alwaysInvariants, finalInvariants } from './invariants/all.ts';
import { fieldsApart } from './invariants/converged.ts';
import { isGood } from './invariants/diagnosis.ts';
import { tokenOf } from './invariants/limits.ts';
import { at, same, textAt } from './json.ts';
import { createOwnership } from './ownership.ts';
import { USER } from './perform.ts';
import { RIVAL } from './rivals.ts';
import type { Cause, Scene, Violation } from './scene.ts';
import { accountObjectsOf, credentialsOf, isByOperator, nameOf, openedBy } from './scene.ts';
import type { Act, Script } from './script.ts';
import { isTight } from './setting.ts';
import { createSight } from './sight.ts';

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
  /** The status page of a process answered. */
  shown(process: string, query: string, answer: HttpAnswer): void;
  readonly violations: readonly Violation[];
}

type Expectation = Extract<Act, { readonly what: 'expect' }>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What no write of the operator disturbs for so long is at rest: longer than any wait for the outcome of a request. */
const REST = 4 * MINUTE;
/** A process that started looks once more after {@link REST} at what an earlier one may have sent: that is over when it is looked for calm. */
const LOOKS_AFTER_START = REST / 2 + 15 * SECOND;
/** How often it is looked whether all is as it should be again. */
const LOOK = 15 * SECOND;
/** Longest until all is as it should be: what the Documented dialect does not show is sent again after an hour. */
const BOUND = 80 * MINUTE;
/** The same where few requests an hour are allowed. */
const TIGHT_BOUND = 240 * MINUTE;

export function createWatch(world: World, script: Script, authorization: () => string | undefined): Watcher {
  const violations: Violation[] = [];
  const intent = createIntent(() => world.now(), script.setting.flags);
  const sight = createSight();
  const written = new Map<number, Pick<Cause, 'writtenAt' | 'seenUntil'>>();
  const edits = new Map<string, number[]>();
  const carriedOut = new Set<number>();
  let cause: Scene['cause'];
  let calmSince: number | undefined;
  let lastWrite = 0;
  let authorized: { readonly header: string | undefined; readonly token: string | undefined } = {
    header: undefined,
    token: undefined,
  };

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
    get token() {
      const header = authorization();
      if (header !== authorized.header) authorized = { header, token: tokenOf(header) };
      return authorized.token;
    },
    get calmSince() {
      return calmSince;
    },
    lastEdit: (kind, id) => edits.get(`${kind}/${id}`)?.at(-1),
    firstEdit: (kind, id, since) => edits.get(`${kind}/${id}`)?.find((at) => at >= since),
    accountObjects: (incarnation, since) => accountObjectsOf(intent, incarnation, since),
    accountsOf(incarnation, since) {
      const found = new Set<string>();
      for (const account of accountObjectsOf(intent, incarnation, since)) {
        const { namespace, name } = credentialsOf(account);
        const tokens = intent.secretValues(namespace, name, 'accessToken', since);
        // Credentials whose Secret is gone are kept while resources still need them.
        const all = tokens.includes(undefined) ? intent.secretValues(namespace, name, 'accessToken', 0) : tokens;
        for (const token of all) {
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
  const hearers = always.flatMap(({ message }) => message ?? []);
  const storeds = always.flatMap(({ stored }) => stored ?? []);
  const changeds = always.flatMap(({ changed }) => changed ?? []);
  const arriveds = always.flatMap(({ arrived }) => arrived ?? []);

  world.onMessage((moment, message, answer) => {
    if (moment === 'written')
      written.set(message.serial, { writtenAt: world.now(), seenUntil: world.seenUntil(message.process) });
    if (moment === 'arrived') {
      const isSecond = carriedOut.has(message.serial);
      carriedOut.add(message.serial);
      const left = written.get(message.serial) ?? { writtenAt: world.now(), seenUntil: 0 };
      cause = { message, ...left, isSecond };
    }
    if (moment === 'begun' && message.to === 'service' && message.verb !== 'GET') ownership.begun(message);
    for (const hear of hearers) hear(moment, message, answer);
  });
  world.apiserver.onChange((stored) => {
    // What goes with its namespace goes because a user wants it.
    const change = stored.user === NAMESPACE_CONTROLLER ? { ...stored, user: USER } : stored;
    if (
      change.user !== USER &&
      change.user !== ETCD &&
      !/^(leases|events|.*accounts)$/.test(change.resource) &&
      !isRetrying(change)
    ) {
      lastWrite = world.now();
    }
    intent.stored(change);
    // What is there again nobody wrote now.
    if (change.user === ETCD) return;
    ownership.stored(change);
    for (const stored of storeds) stored(change);
  });
  world.service.onChange((change) => {
    for (const { kind, id } of change.from === 'control panel' ? change.objects : []) {
      const key = `${kind}/${id}`;
      edits.set(key, [...(edits.get(key) ?? []), world.now()]);
    }
    if (isByOperator(change)) lastWrite = world.now();
    atService.changed(change);
    ownership.changed(change);
    for (const changed of changeds) changed(change);
  });
  const alive = () => intent.all.filter(({ goneAt }) => goneAt === undefined);
  const countAccounts = () => alive().filter(({ plural }) => plural.endsWith('accounts')).length;
  /** An account looks at its own credentials, also where others have the same. */
  function readersOf(target: string): number {
    if (LOOKS_AT_CREDENTIALS.test(target)) return countAccounts();
    const id = /\d{12}/.exec(target)?.[0];
    if (id === undefined) return 1;
    return alive().filter((one) => one.ids.at(-1) === id || asksFor(one.object, id) || isToGoTo(one, id)).length + 1;
  }
  /** A Sim that waits for an address asks the gateway on which it is to get it who has it. */
  function isToGoTo({ plural, namespace, object }: Incarnation, id: string): boolean {
    const name = plural === 'sims' ? textAt(object, 'spec', 'gatewayRef', 'name') : undefined;
    return name !== undefined && intent.named('mobilegateways', namespace, name).some(({ ids }) => ids.at(-1) === id);
  }
  const calmness = createCalmness(world, authorization, readersOf, {
    isTight: isTight(script.setting),
    isShared: () => countAccounts() > 1,
  });
  world.service.onArrival((arrival) => {
    if (cause) calmness.arrived(cause.message, arrival.outcome);
    for (const arrived of arriveds) arrived(arrival);
  });
  world.onLog((process, line) => {
    for (const { logged } of always) logged?.(process, line);
  });

  function looked(): boolean {
    calmness.looked();
    return false;
  }

  /** Lives until nothing was written for a while, or the time is over. */
  async function rest(bound: number, quiet: number): Promise<boolean> {
    const end = world.now() + bound;
    while (world.now() < end && violations.length === 0) {
      const starts = world.processes.map(({ startedAt }) => startedAt + LOOKS_AFTER_START);
      const restsAt = Math.max(lastWrite, calmSince ?? 0, ...starts) + quiet;
      if (world.now() >= restsAt) return true;
      await world.run(Math.min(end, restsAt), looked);
    }
    return false;
  }

  function look(): void {
    for (const { name, check } of finalInvariants) check(scene, say(name));
  }

  /** What another installation holds cannot follow a change, and may look as it should by chance until then. */
  function isHeldElsewhere(): boolean {
    return intent.all.some(
      ({ goneAt, namespace }) => goneAt === undefined && intent.holdersOf(namespace, world.now()).at(-1) === RIVAL,
    );
  }

  function isFine(): boolean {
    return finalInvariants.every(({ check }) => {
      let isKept = true;
      check(scene, () => {
        isKept = false;
      });
      return isKept;
    });
  }

  function expect({ ref: { plural, namespace = '', name }, shows, has, why }: Expectation): void {
    const [one] = intent.named(plural, namespace, name).filter(({ goneAt }) => goneAt === undefined);
    if (!one) return;
    for (const [path, value] of Object.entries(shows ?? {})) {
      const [type = '', member] = path.split('.');
      const condition = /^[A-Z]/.test(path) ? conditionOf(one.object, type) : undefined;
      const shown = /^[A-Z]/.test(path)
        ? condition?.[member === 'reason' ? 'reason' : 'status']
        : at(one.object, 'status', ...path.split('.'));
      if (!same(shown ?? null, value))
        say('shows it by then')(`${nameOf(one)} shows ${path} ${JSON.stringify(shown)}, though ${why}`);
    }
    const apart = has ? fieldsApart(scene, one) : [];
    for (const difference of apart.filter((text) => has?.some((field) => text.startsWith(`${field} `))))
      say('the service has it by then')(`${nameOf(one)}: ${difference}, though ${why}`);
    if (!shows && !has && !isGood(one))
      say('goes on beside others')(`${nameOf(one)} is not as its spec says, though ${why}`);
  }

  return {
    shown(process, query, { status, body }) {
      for (const { shown } of always) shown?.(process, query, status, body);
    },
    performed(act) {
      sight.performed(act, world.now());
      if (act.what === 'expect') expect(act);
    },
    calm() {
      calmSince = world.now();
      sight.calm(world.now());
    },
    isOver: () => violations.length > 0,
    async settle() {
      const end = world.now() + (isTight(script.setting) ? TIGHT_BOUND : BOUND);
      let isAtRest = false;
      while (violations.length === 0 && world.now() < end) {
        isAtRest = await rest(end - world.now(), REST / 2);
        const since = world.now();
        calmness.begin();
        isAtRest = isAtRest && (await rest(end - world.now(), (3 / 4) * REST));
        calmness.half();
        isAtRest = isAtRest && (await rest(end - world.now(), REST));
        if (isAtRest && lastWrite >= since) continue;
        if (isAtRest && !isHeldElsewhere() && isFine()) {
          calmness.findings().forEach(say('no work is left at rest'));
          return violations.length === 0;
        }
        await world.run(Math.min(end, world.now() + MINUTE));
      }
      if (violations.length > 0) return false;
      look();
      // What is not as it should be tells more than that somebody still writes.
      if (!isAtRest && violations.length === 0)
        say('at rest')(
          `writes go on ${(world.now() - (calmSince ?? 0)) / MINUTE} minutes after the last fault and edit`,
        );
      return violations.length === 0;
    },
    async encore(within, why) {
      const end = world.now() + within;
      while (world.now() < end && violations.length === 0) {
        await world.run(Math.min(end, world.now() + LOOK));
        if (world.now() - lastWrite >= LOOK && isFine()) return;
      }
      if (violations.length > 0) return;
      world.note(`${why}: not within ${within / SECOND} seconds`);
      look();
    },
    violations,
  };
}

/** What something else has is asked for again from time to time, and each time its intent is stored. */
function isRetrying({ new: object }: StoredChange): boolean {
  const reasons = object === undefined ? [] : ['Ready', 'Synced'].map((type) => conditionOf(object, type)?.reason);
  return reasons.some((reason) => reason === 'Conflict' || reason === 'AddressTaken');
}

/** Whether a spec names what has this ID at the service. */
function asksFor({ spec }: StoredObject, id: string): boolean {
  return textAt(spec, 'siteID') === id || textAt(spec, 'resourceID') === id;
}
