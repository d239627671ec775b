import { type Asked, createApiCore, type Given, parsedBody } from '../../simulator/api-core.ts';
import { ApiError } from '../../simulator/api-error.ts';
import { createAuthenticator } from '../../simulator/authentication.ts';
import { addObject, deleteObject } from '../../simulator/control/edit-objects.ts';
import { patchState } from '../../simulator/control/patch.ts';
import type { Located } from '../../simulator/locate.ts';
import type { World } from '../../simulator/model.ts';
import { createOperations } from '../../simulator/operations.ts';
import type { ApiResponse } from '../../simulator/router.ts';
import { parseSeed, plantSeed } from '../../simulator/seed.ts';
import { type Account, createSimulation, shareWorlds } from '../../simulator/simulation.ts';
import { restoredWorld, worldsOf } from '../../simulator/state/snapshot.ts';
import { kinds, touch } from '../../simulator/touch.ts';
import { createCredentials } from './credentials.ts';
import { deniedAnswer, disfigured, proxyAnswer } from './disfigure.ts';
import { effectOf, type Fault, type Refusal, sensible } from './faults.ts';
import { createHistory, type History } from './history.ts';
import { createLedger } from './ledger.ts';
import { mistaken } from './lists.ts';
import type { Service, ServiceAnswer, ServiceOptions, ServiceRequest } from './types.ts';

/** A new object is shown so much later at most, and a list is so old at most. Milliseconds. */
const longestUnshown = 180_000;
const longestStale = 60_000;

/** Nonces need no secrecy here, but to be the same each time. */
const nonceKey = Buffer.from('the nonces of the simulation');

/** What came of a request. */
interface Handled {
  readonly answer: ServiceAnswer | 'cut' | 'stall';
  readonly isCarriedOut: boolean;
  /** The fault that had an effect. */
  readonly fault: Fault | undefined;
}

/** A request that is let in. */
interface Admitted {
  readonly request: ServiceRequest;
  readonly account: Account;
  readonly found: Located;
  readonly given: Given;
}

/** The service in process. Throws a `SeedError` when the seed cannot be used. */
export function createService(options: ServiceOptions): Service {
  const { now, random } = options;
  const seed = parseSeed(seedOf(options));
  const simulation = createSimulation({
    clock: { now },
    accounts: options.accounts.map((account) => ({ sameAs: undefined, ...account })),
    settings: options.settings ?? {},
    firstID: options.firstID,
  });
  plantSeed(simulation, seed);
  for (const stored of options.worlds ?? []) {
    const account = simulation.accounts.find(({ name }) => name === stored.account);
    if (account) account.world = noticed(restoredWorld(stored));
  }
  shareWorlds(simulation.accounts);
  const passCodes = new Map(Object.entries(options.passCodes ?? {}));
  const router = createOperations(() => passCodes);
  const core = createApiCore({ simulation, router, isMemoryFull: () => false });
  const credentials = createCredentials(simulation, createAuthenticator(simulation, nonceKey));
  const histories = new Map(worldsOf(simulation).map((world) => [world, createHistory(world)]));
  const ledger = createLedger();
  const startedAt = now();
  for (const history of histories.values()) history.note(startedAt);

  return {
    handle(request, wanted) {
      const asked = core.asked(request.method, request.target);
      const fault = wanted && sensible(wanted, asked.route);
      const handled = serve(request, asked, fault);
      ledger.arrival({
        at: now(),
        from: request.from,
        account: credentials.claimed(header(request, 'authorization'))?.world.account ?? null,
        api: asked.found?.api ?? null,
        method: request.method,
        route: asked.route,
        ids: asked.found?.ids ?? [],
        isCarriedOut: handled.isCarriedOut,
        outcome: typeof handled.answer === 'string' ? handled.answer : handled.answer.status,
        fault: handled.fault,
      });
      return handled.answer;
    },
    onChange: ledger.onChange,
    onArrival: ledger.onArrival,
    changes: ledger.changes,
    arrivals: ledger.arrivals,
    arrivalTimes: (name, api) => ledger.arrivalTimes(accountNamed(name).world.account, api),
    world: (name) => historyOf(accountNamed(name).world).view,
    edit: (patch) => edited(patch, () => patchState(simulation, patch)),
    add: (account, kind, object) => edited(object, () => addObject(simulation, kind, { ...object, account }).id),
    remove: (kind, name) => edited(undefined, () => deleteObject(simulation, kind, name)),
    accept: credentials.accept,
    settings: simulation.settings,
    routes: router.names,
  };

  /** Nothing comes in or out where the fault cuts the request off; otherwise it is let in and carried out. */
  function serve(request: ServiceRequest, asked: Asked, fault: Fault | undefined): Handled {
    const effect = fault && effectOf(fault);
    const isEarly = effect && 'when' in effect && effect.when === 'before';
    if (isEarly && effect.kind === 'silent') return { answer: effect.how, isCarriedOut: false, fault };
    if (isEarly && effect.kind === 'proxy') return { answer: proxyAnswer(effect), isCarriedOut: false, fault };
    if (effect?.kind === 'denied') return { answer: deniedAnswer(), isCarriedOut: false, fault };
    let met: Fault | undefined;
    let admitted: Admitted;
    try {
      admitted = admit(request, asked);
      if (effect?.kind === 'unauthorized') {
        met = fault;
        credentials.refuse(request.method, request.target);
      }
      if (isEarly && effect.kind === 'refused') {
        met = fault;
        throw refusal(effect.refusal, request.body);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { answer: sent(error), isCarriedOut: false, fault: met };
    }
    return carriedOut(admitted, fault);
  }

  /** Throws the `ApiError` of a request that is refused before it comes to an operation. */
  function admit(request: ServiceRequest, asked: Asked): Admitted {
    const { method, target, body: text = '' } = request;
    const account = credentials.check(method, target, header(request, 'authorization'));
    const body = parsedBody(text);
    const found = core.admit(asked, account, text);
    const extended = header(request, 'x-sakura-bigint-as-int') === '1';
    return { request, account, found, given: { query: asked.query, body, extended } };
  }

  /** Carries out, and answers what the fault makes of the answer. */
  function carriedOut(admitted: Admitted, fault: Fault | undefined): Handled {
    const effect = fault && effectOf(fault);
    const { shownAfterCreate } = simulation.settings;
    if (effect?.kind === 'late') simulation.settings.shownAfterCreate = Math.ceil(random() * longestUnshown);
    const result = operate(admitted);
    simulation.settings.shownAfterCreate = shownAfterCreate;
    const isCarriedOut = !(result instanceof ApiError);
    const handled = (answer: Handled['answer'], hasEffect = true): Handled => ({
      answer,
      isCarriedOut,
      fault: hasEffect ? fault : undefined,
    });
    switch (effect?.kind) {
      case 'silent':
        return handled(effect.how);
      case 'refused':
        return handled(sent(refusal(effect.refusal, admitted.request.body)));
      case 'proxy':
        return handled(proxyAnswer(effect));
      case 'disfigured': {
        const answer = sent(result);
        const changed = disfigured(answer, effect.how, random);
        return handled(changed, changed.body !== answer.body);
      }
      case 'mistaken':
      case 'stale': {
        if (result instanceof ApiError) return handled(sent(result), false);
        const body =
          effect.kind === 'stale'
            ? staleList(admitted)
            : mistaken(admitted.found.name, effect.mistake, result.body ?? {}, random);
        const changed = body && JSON.stringify(body) !== JSON.stringify(result.body) ? { ...result, body } : result;
        return handled(sent(changed), changed !== result);
      }
      default:
        return handled(sent(result), isCarriedOut);
    }
  }

  function operate({ request, account, found, given }: Admitted): ApiResponse | ApiError {
    const result = core.operate(account, found, given);
    const at = now();
    const objects = historyOf(account.world).note(at);
    // A mistake of the simulator's own is none of the service's answers.
    if (result instanceof ApiError && result.cause !== undefined) throw result.cause;
    if (result instanceof ApiError || request.method === 'GET') return result;
    ledger.change({
      at,
      from: request.from,
      account: account.world.account,
      route: found.name,
      method: request.method,
      ids: found.ids,
      body: given.body,
      status: result.status ?? 200,
      objects,
    });
    return result;
  }

  /** The body of the list as it was a while ago; undefined when it could not be asked for then. */
  function staleList({ account, found, given }: Admitted): ApiResponse['body'] {
    const at = Math.max(startedAt, now() - Math.ceil(random() * longestStale));
    const world = historyOf(account.world).worldAt(at);
    const past = { ...account, world };
    const result = core.operate(past, found, given, at);
    return result instanceof ApiError ? undefined : result.body;
  }

  /** Does what a person does at the control panel, and notes it, even where it is refused half-way. */
  function edited<T>(body: unknown, edit: () => T): T {
    try {
      return edit();
    } finally {
      const at = now();
      for (const [world, history] of histories) {
        const objects = history.note(at);
        if (objects.length === 0) continue;
        const about = { account: world.account, route: 'edit', method: 'EDIT', ids: [], body, status: 0 };
        ledger.change({ at, from: controlPanel, ...about, objects });
      }
    }
  }

  function sent(answer: ApiResponse | ApiError): ServiceAnswer {
    const { status, headers, content } = core.written(answer);
    return { status, headers, body: typeof content === 'string' ? content : content.toString('latin1') };
  }

  function accountNamed(name: string): Account {
    const account = simulation.accounts.find((one) => one.name === name);
    if (!account) throw new Error(`there is no account ${name}`);
    return account;
  }

  function historyOf(world: World): History {
    const history = histories.get(world);
    if (!history) throw new Error(`the world of ${world.account} has no history`);
    return history;
  }
}

/** What is restored is not told of: its history begins with it. */
function noticed(world: World): World {
  for (const kind of kinds) for (const id of world[kind].keys()) touch(world, kind, id);
  return world;
}

/** Who edits, in the ledger. */
export const controlPanel = 'control panel';

function refusal(given: Refusal, body: string | undefined): ApiError {
  const { status, errorCode, retryAfter, repeats } = given;
  const message =
    repeats && body !== undefined ? `a fault of the simulation with ${body}` : 'a fault of the simulation';
  return new ApiError(status, errorCode, message, retryAfter === undefined ? {} : { retryAfter });
}

/** The seed of the accounts as the seed file has it: the first account's own at the top, the others' by their tokens. */
function seedOf({ accounts, seed = {} }: ServiceOptions): object {
  const [first, ...others] = accounts;
  for (const name of Object.keys(seed)) {
    if (!accounts.some((account) => account.name === name)) throw new Error(`seed: there is no account ${name}`);
  }
  const seeded = others.filter(({ name }) => seed[name]);
  return { ...seed[first?.name ?? ''], accounts: seeded.map((account) => ({ ...account, ...seed[account.name] })) };
}

function header({ headers }: ServiceRequest, name: string): string | undefined {
  const direct = headers[name];
  if (direct !== undefined) return direct;
  for (const [key, value] of Object.entries(headers)) if (key.toLowerCase() === name) return value;
  return undefined;
}
