import { isDeepStrictEqual } from 'node:util';
import { formatAge } from '../age.ts';
import { HOLDER_LEASE } from '../kubernetes/holdings.ts';
import type { Lease } from '../kubernetes/lease-object.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { LEASES, NAMESPACES } from '../kubernetes/resource.ts';
import { ClusterError } from './errors.ts';
import type { Session } from './session.ts';
import { harmless } from './text/harmless.ts';

/** Whether an operator looks after what is shown. */
export interface Presence {
  readonly state: 'Running' | 'NotRunning' | 'Unknown';
  /** What is to be said about it before anything else; empty where all is well. */
  readonly messages: readonly string[];
  /** The namespaces that no operator looks after. */
  readonly unattended: readonly string[];
}

/** Whether there is nothing new to be said: how long somebody has been silent is not. Pure. */
export function isSamePresence(a: Presence, b: Presence): boolean {
  if (a.state !== b.state || !isDeepStrictEqual(a.unattended, b.unattended)) return false;
  return a.state === 'NotRunning' || isDeepStrictEqual(a.messages, b.messages);
}

/** What was read of the Leases that tell. */
export interface SeenLeases {
  /** The Lease `edgeline-holder` of each namespace that has one. */
  readonly holders: readonly Lease[];
  /** The Leases by which the pods of those installations elect their leader, by the identity of the installation. */
  readonly leaders: ReadonlyMap<string, Lease | 'none' | 'unreadable'>;
  /** Namespaces that are being deleted: their Lease went first, and nobody can make another. */
  readonly leaving?: ReadonlySet<string>;
}

/** The end of an identity without such a Lease (`src/operator/cluster.ts`). */
const UNELECTED = 'without-leader-election';
/**
 * A leader renews each two seconds, and loses the Lease after fifteen. Those of two machines' clocks that are set differ
 * by less than this. Seconds.
 */
const LEADER_SILENCE_SECONDS = 60;
const HOLDER_SECONDS = 900;
/** Of more namespaces without a holder it is not asked whether they are being deleted: nobody deletes so many at a time. */
const MOST_LEAVING = 20;

/** Says which of the namespaces nobody looks after, as far as the Leases tell. Pure. */
export function presenceOf(namespaces: readonly string[], seen: SeenLeases, now: number): Presence {
  const age = (lease: Lease) => (now - Date.parse(lease.spec?.renewTime ?? '')) / 1000;
  const unheld: string[] = [];
  const leaving: string[] = [];
  const silent = new Map<string, { namespaces: string[]; message: string }>();
  for (const namespace of [...new Set(namespaces)].sort()) {
    const lease = seen.holders.find(({ metadata }) => metadata.namespace === namespace);
    const holder = lease?.spec?.holderIdentity;
    if (!lease || !holder) {
      (seen.leaving?.has(namespace) ? leaving : unheld).push(namespace);
      continue;
    }
    const message = silenceOf(holder, lease, seen.leaders.get(holder), age);
    if (message === undefined) continue;
    const known = silent.get(message);
    silent.set(message, { message, namespaces: [...(known?.namespaces ?? []), namespace] });
  }
  const messages = [
    ...(unheld.length === 0
      ? []
      : [
          `No operator looks after ${listed(unheld)}: nobody holds the Lease ${HOLDER_LEASE} there. What is shown is what was last written, if anything was.`,
        ]),
    ...[...silent.values()].map(({ message, namespaces: of }) => `${message} It looks after ${listed(of)}.`),
  ];
  return {
    state: messages.length > 0 ? 'NotRunning' : leaving.length > 0 ? 'Unknown' : 'Running',
    messages,
    unattended: [...unheld, ...[...silent.values()].flatMap(({ namespaces: of }) => of)].sort(),
  };
}

function silenceOf(
  holder: string,
  lease: Lease,
  leader: Lease | 'none' | 'unreadable' | undefined,
  age: (lease: Lease) => number,
): string | undefined {
  const shown = harmless(holder);
  if (leader === 'none') return `The operator ${shown} does not run: its Lease is gone.`;
  if (typeof leader === 'object') {
    if (!leader.spec?.holderIdentity) return `The operator ${shown} does not run: none of its pods holds its Lease.`;
    const limit = Math.max(LEADER_SILENCE_SECONDS, leader.spec.leaseDurationSeconds ?? 0);
    // A time that is none counts as old: nobody has renewed it.
    if (!(age(leader) <= limit)) return silentSince(shown, age(leader));
  }
  const limit = lease.spec?.leaseDurationSeconds ?? HOLDER_SECONDS;
  return age(lease) <= limit ? undefined : silentSince(shown, age(lease));
}

function silentSince(holder: string, seconds: number): string {
  const since = Number.isFinite(seconds) ? `for ${formatAge(seconds)}` : 'at any time that can be read';
  return `The operator ${holder} gives no sign of life: it has not renewed its Lease ${since}. What is shown may be as old.`;
}

/** Names, as many as a line can have. */
function listed(namespaces: readonly string[]): string {
  const shown = namespaces.slice(0, 5).join(', ');
  const more = namespaces.length > 5 ? ` and ${namespaces.length - 5} more` : '';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${shown}${more}`;
}

/** Reads the Leases of these namespaces and judges. Whoever may not read them is told that it is not known. */
export async function readPresence(session: Session, namespaces: readonly string[], now: number): Promise<Presence> {
  if (namespaces.length === 0) return { state: 'Unknown', messages: [], unattended: [] };
  try {
    const fieldSelector = `metadata.name=${HOLDER_LEASE}`;
    const places = session.namespace === undefined ? [undefined] : [...new Set(namespaces)];
    const holders = (
      await Promise.all(places.map((namespace) => session.list<Lease>(LEASES, namespace, { fieldSelector })))
    ).flat();
    const relevant = holders.filter(({ metadata }) => namespaces.includes(metadata.namespace ?? ''));
    const identities = new Set(relevant.flatMap(({ spec }) => spec?.holderIdentity || []));
    const leaders = new Map<string, Lease | 'none' | 'unreadable'>();
    for (const identity of identities) leaders.set(identity, await readLeader(session, identity));
    const held = new Set(relevant.map(({ metadata }) => metadata.namespace));
    const unheld = [...new Set(namespaces)].filter((namespace) => !held.has(namespace));
    const asked = unheld.length > MOST_LEAVING ? [] : unheld;
    const leaving = await Promise.all(asked.map((namespace) => isLeaving(session, namespace)));
    const seen = { holders: relevant, leaders, leaving: new Set(asked.filter((_, index) => leaving[index])) };
    return presenceOf(namespaces, seen, now);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return {
      state: 'Unknown',
      messages: [`Whether the operator runs is not known: ${error.message}.`],
      unattended: [],
    };
  }
}

/** Whether a namespace is being deleted, as far as it may be read. */
async function isLeaving(session: Session, namespace: string): Promise<boolean> {
  try {
    const { metadata } = await session.get<KubernetesObject>(NAMESPACES, undefined, namespace);
    return metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (error instanceof ClusterError) return false;
    throw error;
  }
}

async function readLeader(session: Session, identity: string): Promise<Lease | 'none' | 'unreadable'> {
  const [namespace = '', name = '', ...rest] = identity.split('/');
  if (!isNamespaceName(namespace) || name === '' || name === UNELECTED || rest.length > 0) return 'unreadable';
  const leases = await session
    .list<Lease>(LEASES, namespace, { fieldSelector: `metadata.name=${name}` })
    .catch((error: unknown) => {
      if (error instanceof ClusterError) return undefined;
      throw error;
    });
  if (leases === undefined) return 'unreadable';
  return leases[0] ?? 'none';
}

/** Whether it can be the name of a namespace: a Lease holds what anybody wrote who may write it. Pure. */
export function isNamespaceName(text: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text);
}
