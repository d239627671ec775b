import { type ChangeLine, changeSchema } from '../../../../src/reconcile/change-line.ts';
import type { Scene } from '../scene.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';

/** A write that left a process and has no line yet. */
interface Open {
  readonly serial: number;
  readonly process: string;
  readonly request: string;
  readonly writtenAt: number;
}

/** What became of a write, as far as the service and the network know. */
interface Fate {
  isCarriedOut: boolean;
  /** It arrived twice, or not as it was sent. */
  isDoubled: boolean;
  answer: number | undefined;
}

/** A line with all that it has, and nothing else. */
const lineSchema = changeSchema.strict();

/** Where the service has what belongs to a kind. */
const tables = [
  ['Sim', 'sims'],
  ['MobileGateway', 'gateways'],
  ['WebAccelSite', 'sites'],
  ['SiteCertificate', 'sites'],
] as const;

/** Whether who is shown this takes it for somebody's work: what was, or not all that is. */
const misleads = (fault: string): boolean => fault === 'list is stale' || fault === 'list misses a member';

const LEAVES_GATEWAY = 'DELETE /appliance/:id/mobilegateway/sims/:id';
const SETS_ROUTES = 'PUT /appliance/:id/mobilegateway/simroutes';
/** Milliseconds on the way; what is sent next may be there before. */
const LATE = 1000;

function hadLimit({ intent }: Scene, uid: string): boolean {
  return intent.byUID(uid)?.versions.some(({ spec }) => spec['dataLimit'] !== undefined) === true;
}

const openOf = new WeakMap<Scene, Map<number, Open>>();

/**
 * The log of changes beside the service's own ledger: one line for each write that left a process, of the same operation on
 * the same object, with an outcome that is true; no line without a write. What is under way when a process dies has none.
 */
export const changesTold: AlwaysInvariant = {
  name: 'every write has its line in the log of changes',
  watch(scene, say) {
    const open = new Map<number, Open>();
    const fates = new Map<number, Fate>();
    openOf.set(scene, open);
    const fateOf = (serial: number): Fate => {
      const known = fates.get(serial);
      if (known) return known;
      const made = { isCarriedOut: false, isDoubled: false, answer: undefined };
      fates.set(serial, made);
      return made;
    };
    const { script } = scene;
    const acts = [...script.steps, ...script.encore.flatMap(({ act, also = [] }) => [act, ...also])];
    // A generation may come back with the spec it was of.
    const isTurnedBack = acts.some(({ what }) => what === 'restore' || what === 'restore etcd');
    const isMisled = acts.some(
      (step) => step.what === 'fault' && typeof step.fault === 'object' && Object.values(step.fault).some(misleads),
    );
    let isStirred = false;
    let hasLeft = false;
    /** Which resources wrote to an object: what one of them wrote is drift to the other, after a takeover. */
    const writers = new Map<string, Set<string>>();
    /** What the world knows better of why it was done. */
    function untrueIn({ cause, generation, kind, objectID, uid, operation }: ChangeLine): string[] {
      const known = writers.get(`${kind} ${objectID}`) ?? new Set();
      writers.set(`${kind} ${objectID}`, known.add(uid));
      const edited = tables.flatMap(([of, table]) =>
        of === kind && objectID !== null ? [scene.lastEdit(table, objectID)] : [],
      );
      return [
        ...(cause === 'SpecChanged' && generation === 1 && !isTurnedBack
          ? ['as a change of a spec that nobody changed']
          : []),
        ...(cause === 'DriftRepaired' &&
        !isMisled &&
        !isStirred &&
        !(hasLeft && operation === SETS_ROUTES) &&
        known.size === 1 &&
        edited.every((at) => at === undefined)
          ? ['as drift, and nobody edited it']
          : []),
        ...(cause.startsWith('DataLimit') && !isTurnedBack && !hadLimit(scene, uid)
          ? ['as of a data limit, and it never had one']
          : []),
      ];
    }
    return {
      message(moment, { serial, process, verb, to, target }, answer) {
        if (to !== 'service' || verb === 'GET') return;
        if (moment === 'written') {
          open.set(serial, {
            serial,
            process,
            request: `${verb} ${pathOf(target)}`,
            writtenAt: scene.world.now(),
          });
        }
        if (moment === 'answered') fateOf(serial).answer = answer?.status;
      },
      arrived({ method, isCarriedOut }) {
        if (method === 'GET' || !scene.cause) return;
        const { message, isSecond } = scene.cause;
        const sent = open.get(message.serial);
        // A SIM that leaves its gateway takes its routes with it, and one that comes back at once finds none.
        hasLeft ||= message.route === LEAVES_GATEWAY;
        // What arrives late puts back what was so before: the operator's own, and drift to it all the same.
        isStirred ||= isSecond || !sent || !isOfTheLiving(scene, sent) || scene.world.now() - sent.writtenAt > LATE;
        const fate = fateOf(message.serial);
        fate.isDoubled ||= isSecond;
        fate.isCarriedOut ||= isCarriedOut;
      },
      logged(process, text) {
        if (!text.includes('"component":"change"')) return;
        const line = lineOf(text);
        if (typeof line === 'string') return say(`${process} tells of a change in another shape, ${line}: ${text}`);
        for (const said of [...wrongIn(line), ...untrueIn(line)])
          say(`${process} tells of ${line.request} ${said}: ${text}`);
        if (line.attempt === 0) return;
        const sent = [...open.values()].filter(
          (one) => one.process === process && one.request === line.request && isOfTheLiving(scene, one),
        );
        // Two may ask for the same at once, as for a new gateway each, or to register two SIMs with one: each line is of the one that took as long.
        const begun = scene.world.now() - (line.durationMs ?? 0);
        const off = ({ writtenAt }: Open) => Math.abs(writtenAt - begun);
        const [found] = sent
          .filter(({ serial }) => (fateOf(serial).answer ?? null) === line.status)
          .toSorted((a, b) => off(a) - off(b));
        if (!found) {
          const answers = sent.map(({ serial }) => fateOf(serial).answer ?? 'nothing').join(', ');
          return say(`${process} tells of a write that it did not send, or that was answered ${answers}: ${text}`);
        }
        open.delete(found.serial);
        const { isCarriedOut, isDoubled } = fateOf(found.serial);
        if (line.outcome === 'done' && !isCarriedOut)
          say(`${process} tells of ${line.request} as done, and the service did not carry it out: ${text}`);
        if (line.outcome === 'refused' && isCarriedOut && !isDoubled)
          say(`${process} tells of ${line.request} as refused, and the service carried it out: ${text}`);
      },
    };
  },
};

/** What is neither answered nor given up by now has been forgotten, unless its process is gone. */
export const noneUntold: FinalInvariant = {
  name: 'every write has its line in the log of changes',
  check(scene, say) {
    for (const one of openOf.get(scene)?.values() ?? []) {
      const { process, request, writtenAt } = one;
      if (!isOfTheLiving(scene, one)) continue;
      say(`${process} sent ${request} at ${writtenAt} and tells nothing of it`);
    }
  },
};

/** The process that sent it has not died since: another of its name tells nothing of it. */
function isOfTheLiving(scene: Scene, { process, writtenAt }: Open): boolean {
  const sender = scene.world.processes.find(({ name }) => name === process);
  return sender?.isAlive === true && sender.startedAt <= writtenAt;
}

/** A line without what every line of the log has; what is wrong with it where the schema knows it not. */
function lineOf(text: string): ChangeLine | string {
  const { level: _level, time: _time, component: _component, message: _message, ...rest } = JSON.parse(text);
  const { success, data, error } = lineSchema.safeParse(rest);
  return success ? data : error.message;
}

/** What a line says of itself that does not go together. */
function wrongIn(line: ChangeLine): string[] {
  const { step, operation, request, attempt, outcome, durationMs, objectID, kind, fields, cause } = line;
  if (attempt === 0) return operation === null ? [] : ['as not sent, and as a request'];
  const isCreation = step === 'create' && operation?.startsWith('POST ') === true;
  return [
    ...(step === null || operation === null || durationMs === null ? ['without what it was'] : []),
    ...(operation?.split('/').length === request?.split('/').length ? [] : ['with another operation']),
    ...(isCreation || objectID !== null ? [] : ['without the ID of what it was for']),
    ...(isCreation && outcome === 'done' && objectID === null ? ['without the new ID'] : []),
    ...(kind === 'Sim' && step === 'setIP' && fields.length !== 1 ? ['without the address'] : []),
    ...(fields.some(({ before, after }) => before === after && before !== '(secret)')
      ? ['with a change that is none']
      : []),
    ...(cause === 'Deletion' || step !== 'delete' ? [] : ['deleting for another reason']),
  ];
}

/** As the operator names it: without the zone, and with the one spelling of the appliance. */
export function pathOf(target: string): string {
  const [path = ''] = target.split('?');
  return path
    .replace(/^.*\/api\/(?:cloud|webaccel)\/1\.[01]/, '')
    .replace('/applience/', '/appliance/')
    .replace(/\/applience$/, '/appliance');
}
