import type { Change, GatewayView, ObjectChange, SimView, SiteView } from '../../../src/shadow/service/types.ts';
import type { Intent } from './intent.ts';
import { at, same } from './json.ts';
import type { Scene } from './scene.ts';

export interface Views {
  readonly sims: SimView;
  readonly gateways: GatewayView;
  readonly sites: SiteView;
}

/** What no dialect shows of a site, by how it is sent. */
const neverShown = {
  AccessKeyID: 'accessKeyID',
  SecretAccessKey: 'secretAccessKeyDigest',
  OnetimeURLSecrets: 'oneTimeURLSecrets',
} as const;
export type NeverShown = (typeof neverShown)[keyof typeof neverShown];

/** What an object was like from a moment on; undefined once it was gone. */
interface Past<V> {
  readonly at: number;
  readonly view: V | undefined;
}

/** Times of creation are whole seconds, on both sides. Milliseconds. */
const MOMENT = 3000;

/** The service as it was at any time, which no process of the operator can know. */
export interface AtService {
  changed(change: Change): void;
  /** What an object was like at some time since, until another: first as it was then. */
  pastOf<K extends keyof Views>(kind: K, id: string, since: number, until?: number): readonly Views[K][];
  /** Whether another account than this one had a SIM with this ICCID at some time since. */
  wasElsewhere(iccid: unknown, account: string | undefined, since: number): boolean;
  /** When it was made; undefined: there never was one. Virtual milliseconds. */
  madeAt(id: string): number | undefined;
  /** When it last became another. Virtual milliseconds. */
  lastChange(kind: keyof Views, id: string): number;
  /** Since when it is so without a break; undefined: it is not so. */
  soSince<K extends keyof Views>(kind: K, id: string, isSo: (view: Views[K]) => boolean): number | undefined;
  /** Where an object is, or was at last. */
  accountOf(id: string): string | undefined;
  now<K extends keyof Views>(kind: K, id: string): Views[K] | undefined;
  /** The resource asked for it when the operator created it. */
  mayHaveCreated(uid: string, id: string): boolean;
  /** Something was created that it asked for, whether or not its status ever named it. */
  mayHaveAny(uid: string): boolean;
  /** `isStray`: by a request that the network doubled, or that arrived long after its process died. */
  noteCreators(id: string, uids: readonly string[], isStray: boolean): void;
  /** People gave what is never shown of a site this value, at some time. */
  wasGivenByHand(id: string, member: NeverShown, value: unknown): boolean;
  /** What the operator last sent of it; undefined: nothing yet. */
  lastSent(id: string, member: NeverShown): unknown;
  /** No answer ever names it, and nobody waits for it any more. */
  isStray(id: string): boolean;
}

export function createAtService(scene: Pick<Scene, 'world' | 'script'> & { readonly intent: Intent }): AtService {
  const { service } = scene.world;
  const past = {
    sims: new Map<string, Past<SimView>[]>(),
    gateways: new Map<string, Past<GatewayView>[]>(),
    sites: new Map<string, Past<SiteView>[]>(),
  };
  const accounts = new Map<string, string>();
  const creators = new Map<string, ReadonlySet<string>>();
  const strays = new Set<string>();
  /** By ID, member and value. */
  const byHand = new Set<string>();
  /** By ID and member. */
  const sent = new Map<string, unknown>();
  const names = scene.script.setting.credentials.filter(({ sameAs }) => sameAs === undefined).map(({ name }) => name);

  for (const name of names) {
    const { sims, gateways, sites } = service.world(name);
    for (const [id, view] of sims) note(past.sims, id, name, view);
    for (const [id, view] of gateways) note(past.gateways, id, name, view);
    for (const [id, view] of sites) note(past.sites, id, name, view);
  }

  function note<V>(map: Map<string, Past<V>[]>, id: string, account: string, view: V | undefined): void {
    const known = map.get(id);
    const entry = { at: scene.world.now(), view };
    if (known) known.push(entry);
    else map.set(id, [entry]);
    accounts.set(id, account);
  }

  function tableOf<K extends keyof Views>(kind: K): ReadonlyMap<string, readonly Past<Views[K]>[]> {
    const tables: { readonly [Kind in keyof Views]: ReadonlyMap<string, readonly Past<Views[Kind]>[]> } = past;
    return tables[kind];
  }

  const madeAt = (id: string) => (past.sims.get(id) ?? past.gateways.get(id) ?? past.sites.get(id))?.[0]?.at;

  /** Put back from a backup in the very moment when it was made for the one of before, as far as whole seconds tell. */
  function isSameMoment(uid: string, id: string, asked: ReadonlySet<string>): boolean {
    const [one, made] = [scene.intent.byUID(uid), madeAt(id)];
    if (!one?.isRestored || made === undefined || one.createdAt - made > MOMENT) return false;
    const before = scene.intent.named(one.plural, one.namespace, one.name).filter((other) => other.uid !== uid);
    return before.some((other) => asked.has(other.uid));
  }

  function noteNeverShown(
    { from, body }: Change,
    { id, before, after }: ObjectChange & { readonly kind: 'sites' },
  ): void {
    for (const [name, member] of Object.entries(neverShown)) {
      if (!after) continue;
      if (from !== 'control panel') {
        if (at(body, 'Site', name) !== undefined) sent.set(`${id} ${member}`, after[member]);
      } else if (!same(before?.[member], after[member])) {
        byHand.add(`${id} ${member} ${JSON.stringify(after[member])}`);
      }
    }
  }

  return {
    changed(change) {
      const { account, objects } = change;
      for (const object of objects) {
        if (object.kind === 'sites') noteNeverShown(change, object);
        if (object.kind === 'sims') note(past.sims, object.id, account, object.after);
        else if (object.kind === 'gateways') note(past.gateways, object.id, account, object.after);
        else if (object.kind === 'sites') note(past.sites, object.id, account, object.after);
      }
    },
    pastOf(kind, id, since, until = Infinity) {
      const versions = (tableOf(kind).get(id) ?? []).filter(({ at }) => at <= until);
      const first = Math.max(
        0,
        versions.findLastIndex(({ at }) => at <= since),
      );
      return versions.slice(first).flatMap(({ view }) => (view === undefined ? [] : [view]));
    },
    wasElsewhere: (iccid, account, since) =>
      [...past.sims]
        .filter(([id]) => accounts.get(id) !== account)
        .some(([, versions]) =>
          versions.some(({ view }, index) => view?.iccid === iccid && (versions[index + 1]?.at ?? Infinity) >= since),
        ),
    madeAt,
    lastChange: (kind, id) => tableOf(kind).get(id)?.at(-1)?.at ?? 0,
    soSince(kind, id, isSo) {
      const all = tableOf(kind).get(id) ?? [];
      return all[all.findLastIndex(({ view }) => !view || !isSo(view)) + 1]?.at;
    },
    accountOf: (id) => accounts.get(id),
    now: (kind, id) => tableOf(kind).get(id)?.at(-1)?.view,
    mayHaveCreated(uid, id) {
      const asked = creators.get(id);
      return asked !== undefined && (asked.has(uid) || isSameMoment(uid, id, asked));
    },
    mayHaveAny: (uid) => [...creators.values()].some((asked) => asked.has(uid)),
    noteCreators(id, uids, isStray) {
      creators.set(id, new Set(uids));
      if (isStray) strays.add(id);
    },
    wasGivenByHand: (id, member, value) => byHand.has(`${id} ${member} ${JSON.stringify(value)}`),
    lastSent: (id, member) => sent.get(`${id} ${member}`),
    isStray: (id) => strays.has(id),
  };
}
