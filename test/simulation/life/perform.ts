import type { Attributes } from '../../../src/shadow/apiserver/handler.ts';
import type { Message, Moment } from '../../../src/shadow/world/messages.ts';
import type { OperatorProcess } from '../../../src/shadow/world/process.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { type Coverage, denialOf, faultName } from './coverage.ts';
import { createEtcd } from './etcd.ts';
import { at, type JsonObject, textAt } from './json.ts';
import { createRivals } from './rivals.ts';
import type { Act, Occasion, Ref } from './script.ts';
import type { Flags } from './setting.ts';

/** Where the operator is. */
export const OWN_NAMESPACE = 'edgeline-system';
/** Who users are to the apiserver. */
export const USER = 'user';
/** How often somebody tries again whose name is still taken. Milliseconds. */
const RETRY = 5000;
/** How often what is left in a namespace that is being deleted is deleted. Milliseconds. */
const EMPTYING = 5000;

/** Does what a script says. What can't be done any more is passed over, and noted. */
export interface Performer {
  perform(act: Act): void;
  /** Users try no more; denials and armed kills are over. */
  calm(): void;
}

interface Armed {
  readonly on: Occasion;
  readonly process: number;
  readonly strike: (victim: OperatorProcess) => void;
  /** Milliseconds. */
  readonly later: number;
  readonly isTrouble: boolean;
  seen: number;
}

/** `onAct`: before whatever is done. */
export function createPerformer(
  world: World,
  coverage: Coverage,
  onAct: (act: Act) => void,
  flags: Flags = {},
): Performer {
  let armed: Armed[] = [];
  let isCalm = false;
  /** The hash that somebody saw last of a resource, by its path. */
  const seen = new Map<string, string>();
  const etcd = createEtcd(world);
  const rivals = createRivals(world);
  const denials = new Set<(attributes: Attributes) => boolean>();
  if (flags.secretNames || flags.namespaces) denials.add((asked) => !isGranted(flags, asked));
  const granted = [...denials];
  tellDenials();

  world.onMessage((moment, message) => {
    if (armed.length > 0) strike(moment, message);
  });

  function strike(moment: Moment, message: Message): void {
    for (const one of armed) {
      const { on } = one;
      const victim = world.processes[one.process];
      if (moment !== on.moment || message.to !== on.to || message.process !== victim?.name) continue;
      if (on.route !== undefined && on.route !== message.route) continue;
      if (++one.seen < on.nth) continue;
      armed = armed.filter((other) => other !== one);
      // At this very moment, but not in the middle of whoever tells of it.
      if (one.isTrouble) coverage.killed(moment, message.route);
      world.at(world.now() + one.later, () => {
        if (one.isTrouble || !isCalm) one.strike(victim);
      });
    }
  }

  function lieInWait(one: Omit<Armed, 'seen'>): void {
    armed.push({ ...one, seen: 0 });
  }

  function request(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: JsonObject): number {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = world.apiserver.handle({
      method,
      path,
      user: USER,
      contentType,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400 && 'body' in answer) {
      world.note(`user: ${method} ${path} → ${answer.status} ${String(at(JSON.parse(answer.body), 'message'))}`);
    } else {
      world.note(`user: ${method} ${path} → ${answer.status}${body ? ` ${JSON.stringify(body)}` : ''}`);
    }
    return answer.status;
  }

  function create(ref: Ref, manifest: JsonObject, until: number): void {
    const status = request('POST', collection(ref), manifest);
    if (status !== 409) return;
    if (ref.plural === 'secrets') return void request('PUT', pathOf(ref), manifest);
    if (world.now() >= until || isCalm) return;
    world.at(world.now() + RETRY, () => create(ref, manifest, until));
  }

  /** What Kubernetes does with a namespace that is being deleted, until it is gone. */
  function empty(namespace: string): void {
    if (!world.apiserver.get('namespaces', '', namespace)) return;
    world.apiserver.runControllers();
    world.at(world.now() + EMPTYING, () => empty(namespace));
  }

  /** By its hash; who has seen no plan approves none. */
  function approve(ref: Ref, isOld: boolean): void {
    const stored = world.apiserver.get(ref.plural, ref.namespace ?? '', ref.name);
    const shown = textAt(stored, 'status', 'plan', 'hash');
    const hash = isOld ? seen.get(pathOf(ref)) : shown;
    if (shown !== undefined) seen.set(pathOf(ref), shown);
    if (hash === undefined) return world.note('nothing to approve');
    request('PATCH', pathOf(ref), { metadata: { annotations: { 'edgeline.dev/approve': hash } } });
  }

  /** As Velero does: the finalizers come back, the UID does not. */
  function restore(ref: Ref, withStatus: boolean): void {
    const stored = world.apiserver.get(ref.plural, ref.namespace ?? '', ref.name);
    if (!stored || stored.metadata.deletionTimestamp !== undefined) return world.note('nothing to restore');
    const { apiVersion, kind, metadata, ...content } = JSON.parse(JSON.stringify(stored));
    const { name, namespace, labels, annotations, finalizers } = metadata;
    request('PATCH', pathOf(ref), { metadata: { finalizers: null } });
    request('DELETE', pathOf(ref));
    const again = { apiVersion, kind, metadata: { name, namespace, labels, annotations, finalizers }, ...content };
    request('POST', collection(ref), again);
    if (withStatus && content.status) {
      request('PATCH', `${pathOf(ref)}/status`, { status: content.status });
    }
  }

  function copy(from: Ref, to: Ref, member: string): void {
    const [one, other] = [from, to].map(({ plural, namespace, name }) =>
      world.apiserver.get(plural, namespace ?? '', name),
    );
    if (!other || at(one, 'status', member) === undefined) return world.note('nothing to copy');
    const { status } = JSON.parse(JSON.stringify(one));
    request('PATCH', `${pathOf(to)}/status`, { status: { uid: other.metadata.uid, [member]: status[member] } });
  }

  function deny(verb: string, resource: string, lasts: number): void {
    const denies = (asked: Attributes) => asked.verb === verb && asked.resource === resource;
    denials.add(denies);
    tellDenials();
    world.at(world.now() + lasts, () => {
      denials.delete(denies);
      tellDenials();
    });
  }

  function tellDenials(): void {
    const all = [...denials];
    world.apiserver.setDenial(
      all.length === 0 ? undefined : (asked) => asked.user !== USER && all.some((denies) => denies(asked)),
    );
  }

  /** People do not reach what is not there. */
  function attempt(what: () => void): void {
    try {
      what();
    } catch (error) {
      world.note(`passed over: ${String(error)}`);
    }
  }

  function perform(act: Act): void {
    const { what, ...rest } = act;
    if (what !== 'upon') onAct(act);
    coverage.acted(what);
    if (act.what === 'deny') coverage.acted(denialOf(act.resource));
    world.note(`act: ${what} ${JSON.stringify(rest)}`);
    switch (act.what) {
      case 'create':
        return create(act.ref, act.manifest, world.now() + act.patience);
      case 'patch':
        return void request('PATCH', pathOf(act.ref), act.patch);
      case 'delete':
        request('DELETE', pathOf(act.ref));
        return act.ref.plural === 'namespaces' ? empty(act.ref.name) : undefined;
      case 'approve':
        return approve(act.ref, act.old);
      case 'restore':
        return restore(act.ref, act.withStatus);
      case 'copy':
        return copy(act.from, act.ref, act.member);
      case 'edit':
        return attempt(() => {
          world.service.edit(act.patch);
          coverage.edited(act.patch);
        });
      case 'add':
        return attempt(() => void world.service.add(act.account, act.kind, act.seed));
      case 'remove':
        return attempt(() => world.service.remove(act.kind, act.name));
      case 'accept':
        return world.service.accept(act.credentials, act.isAccepted);
      case 'settings':
        return void Object.assign(world.service.settings, act.settings);
      case 'fault': {
        const until = world.now() + act.lasts;
        const { to, route, id, fault, count, milliseconds } = act;
        let skip = act.skip;
        const fits = (message: Message) => {
          if (world.now() >= until || (route !== undefined && message.route !== route)) return false;
          if (id !== undefined && !message.target.includes(`/${id}`)) return false;
          if (skip-- > 0) return false;
          coverage.struck(fault, message.route);
          world.note(`fault: ${faultName(fault)} strikes #${message.serial} ${message.route}`);
          return true;
        };
        return world.arm({ to, fits, count, fault, milliseconds });
      }
      case 'expect':
        return undefined;
      case 'compact':
        return world.apiserver.compact();
      case 'end watches':
        return world.apiserver.endWatches();
      case 'back up':
        return etcd.backUp(act.revisions);
      case 'restore etcd':
        return etcd.restore(act.revisions ?? 0);
      case 'hold':
        return rivals.hold(act.namespace, act.lasts);
      case 'free':
        return rivals.free(act.namespace);
      case 'record':
        return rivals.record(act.ref, pathOf(act.ref), { ...act.marks, id: act.id });
      case 'deny':
        return deny(act.verb, act.resource, act.lasts);
      case 'kill': {
        const strike = (victim: OperatorProcess) => victim.kill(act.restart);
        if (act.on) return lieInWait({ on: act.on, process: act.process, strike, later: 0, isTrouble: true });
        return world.processes.slice(act.process, act.process + 1).forEach(strike);
      }
      case 'stop':
        return world.processes[act.process]?.stop(act.restart);
      case 'suspend': {
        const strike = (victim: OperatorProcess) => victim.pause(act.milliseconds);
        if (act.on) return lieInWait({ on: act.on, process: act.process, strike, later: 0, isTrouble: true });
        return world.processes.slice(act.process, act.process + 1).forEach(strike);
      }
      case 'upon': {
        const { on, process, later } = act;
        return lieInWait({ on, process, later, isTrouble: false, strike: () => perform(act.act) });
      }
      case 'step clock':
        return world.processes[act.process]?.stepClock(act.milliseconds);
      case 'partition':
        return world.partition(act.to, act.milliseconds, world.processes[act.process]?.name);
      case 'cut watches':
        return world.processes[act.process]?.watches.cut();
      case 'freeze watches':
        return world.processes[act.process]?.watches.freeze(act.milliseconds);
    }
  }

  return {
    perform,
    calm() {
      isCalm = true;
      rivals.calm();
      armed = [];
      denials.clear();
      for (const denies of granted) denials.add(denies);
      tellDenials();
    },
  };
}

/** What roles let an operator do that is started with these flags: where it is, and what it looks after. */
function isGranted({ namespaces, secretNames }: Flags, { resource, namespace, name }: Attributes): boolean {
  if (resource === 'secrets' && secretNames && (name === undefined || !secretNames.includes(name))) return false;
  if (!namespaces || namespace === OWN_NAMESPACE) return true;
  return namespace === undefined ? resource === 'customresourcedefinitions' : namespaces.includes(namespace);
}

/** The paths of the API by the plural of a resource. */
function root(plural: string): string {
  return plural === 'secrets' || plural === 'namespaces' ? '/api/v1' : '/apis/edgeline.dev/v1alpha1';
}

export function collection({ plural, namespace }: Ref): string {
  return namespace === undefined ? `${root(plural)}/${plural}` : `${root(plural)}/namespaces/${namespace}/${plural}`;
}

export function pathOf(ref: Ref): string {
  return `${collection(ref)}/${ref.name}`;
}
