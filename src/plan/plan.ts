import type { Backup, StoredObject } from '../shadow/apiserver/apiserver.ts';
import type { Change } from '../shadow/service/types.ts';
import { createRandom } from '../shadow/world/random.ts';
import { accountKeyOf, keyOfAccount, managedIn, UNKNOWN_VALUE, type UsedAccount, usedAccounts } from './accounts.ts';
import type { PlannedCall } from './call.ts';
import { callsOf, type Holders } from './calls.ts';
import { type Concern, concernOf, isNeeded } from './concern.ts';
import { clusterOf, collection, type Manifest, type Refusal, type Rehearsal, rehearse } from './manifests/rehearse.ts';
import {
  isMembers,
  keyOf,
  managedPlurals,
  memberAt,
  type ObjectJson,
  type Objects,
  objectsIn,
  parseKey,
  plannedKindOf,
  textAt,
} from './objects.ts';
import type { Listed, Picture } from './picture/picture.ts';
import { recordedPicture } from './picture/recorded.ts';
import { conditionOf, type Played, play } from './play.ts';
import { type SecretName, secretsNamed, standIns } from './stand-ins.ts';
import { undecidedOf } from './undecided.ts';
import { playedAccounts } from './worlds.ts';

export interface PlanInput {
  /** The objects of the cluster that may matter, as they came. */
  readonly cluster: readonly ObjectJson[];
  readonly manifests: readonly Manifest[];
  /** Of manifests that name none. */
  readonly namespace: string;
  /** What is deleted unless a manifest names it, by `keyOf`. */
  readonly prune: ReadonlySet<string>;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What is asked of the service for one account. */
export interface Question {
  readonly account: UsedAccount;
  /** The resources of the account that the plan is about. */
  readonly objects: Objects;
  /** All sites of the cluster, which certificates name. */
  readonly sites: Objects['sites'];
}

/** What the service answered; undefined picture: nobody asked. */
export interface Answered {
  readonly picture: Picture;
  readonly listed: Listed;
}

/** A resource that would not be in sync afterwards. */
export interface Unsettled {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

/** What applying manifests would lead to at the service. */
export interface Plan {
  /** In the order in which they would be sent. */
  readonly calls: readonly PlannedCall[];
  readonly unsettled: readonly Unsettled[];
  /** Manifests that the apiserver would not take: nothing is planned for them. */
  readonly refused: readonly Refusal[];
  /** What the plan does not cover, a sentence each. */
  readonly notLookedAt: readonly string[];
  /** What chance decides, a sentence each: what is planned of it is one way in which it may come. */
  readonly undecided: readonly string[];
  /** Whether all that bears on the resources of the manifests could be looked at. */
  readonly isComplete: boolean;
  /** Resources of the manifests that were looked at, and those of them that change in the cluster. */
  readonly resources: { readonly named: number; readonly changed: number; readonly pruned: number };
}

/** What came of asking the service. */
export interface Answers {
  /** By account. */
  readonly answers: ReadonlyMap<string, Answered>;
  /** Resources that nothing can be said about, by `keyOf`, with a sentence why. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** What a plan has to be told while it is made. */
export interface Sources {
  /** The Secrets of these names, as far as they are there; `forbidden`: nobody may say. */
  secrets(names: readonly SecretName[]): Promise<{
    readonly found: readonly ObjectJson[];
    readonly forbidden: readonly SecretName[];
  }>;
  /** Reads the service for all accounts that matter. */
  ask(questions: readonly Question[]): Promise<Answers>;
}

/** What the operator would send if the manifests were applied. */
export async function planOf(input: PlanInput, sources: Sources): Promise<Plan> {
  const { now } = input;
  const apiserver = clusterOf(input.cluster, { now: () => now, random: createRandom('rehearsal') });
  ensureNamespaces(input);
  const rehearsal = rehearse(apiserver, input.manifests, input);
  const concern = concernOf((plural) => apiserver.list(plural), rehearsal);
  const all = objectsIn((plural) => apiserver.list(plural));
  const withheld = await fetchSecrets(all, concern.concerned);
  const used = usedAccounts(all, concern.concerned, (namespace, name) => apiserver.get('secrets', namespace, name));
  const questions = used.map((account) => ({
    account,
    objects: ofAccount(all, account.key, concern.concerned),
    sites: all.sites,
  }));
  const { answers, unknown: unread, notes } = await sources.ask(questions);
  const unknown = new Map([...unread, ...withheld.unknown]);
  const concerned = new Set([...concern.concerned].filter((key) => !unknown.has(key)));
  const base = {
    refused: rehearsal.refused,
    undecided: undecidedOf(all, rehearsal),
    isComplete: unknown.size === 0 && notes.length === 0 && withheld.notes.length === 0,
    notLookedAt: [...notes, ...withheld.notes, ...new Set(unknown.values()), ...notesOf(rehearsal)],
    resources: {
      named: countManaged(rehearsal.named),
      changed: countManaged(new Set([...rehearsal.changed].filter((key) => !rehearsal.deleted.has(key)))),
      pruned: rehearsal.deleted.size,
    },
  };
  if (concerned.size === 0) return { ...base, calls: [], unsettled: [] };
  const known = used.map((account) => ({
    account,
    credentials: account.credentials ?? unknownCredentials(account),
    recorded: recordedPicture(ofAccount(all, account.key)),
    answered: answers.get(account.key),
  }));
  const played = await play({
    cluster: shadowOf(apiserver.backup(), { ...concern, concerned }),
    accounts: playedAccounts(known, now),
    concerned,
    now,
  });
  const calls = callsOf(played.changes, {
    holders: holdersOf([all], played.changes, played.object),
    concerned,
    now,
    accountOf: (name) => wordsOf(used[Number(name)]?.key ?? ''),
  });
  return { ...base, calls, unsettled: played.unsettled.map((key) => unsettledOf(key, played)) };

  /** Puts the Secrets that matter beside those of the manifests; what may not be read gets a stand-in. */
  async function fetchSecrets(objects: Objects, concerned: ReadonlySet<string>) {
    const wanted = managedIn(objects).filter(({ key }) => concerned.has(key));
    const accounts = new Set(wanted.map(({ object }) => accountKeyOf(object, objects.accounts)));
    const naming = [
      ...wanted.map(({ object }) => ({ ...object })),
      ...objects.accounts.filter((account) => accounts.has(keyOfAccount(account))).map((account) => ({ ...account })),
    ];
    const names = secretsNamed(naming, input.namespace).filter(
      ({ namespace, name }) => !apiserver.get('secrets', namespace, name),
    );
    const { found, forbidden } = names.length === 0 ? { found: [], forbidden: [] } : await sources.secrets(names);
    for (const secret of [...found, ...standIns(forbidden, naming, input.namespace)]) {
      const path = collection('secrets', textAt(secret, 'metadata', 'namespace') ?? '');
      const metadata = memberAt(secret, 'metadata');
      const { resourceVersion: _, ...kept } = isMembers(metadata) ? metadata : {};
      const body = JSON.stringify({ ...secret, metadata: kept });
      apiserver.handle({ method: 'POST', path, user: 'plan', body });
    }
    const unknown = new Map<string, string>();
    for (const certificate of objects.certificates) {
      const { namespace = '', name } = certificate.metadata;
      const isWithheld = forbidden.some(
        (one) => one.namespace === namespace && one.name === certificate.spec.secretRef.name,
      );
      const key = keyOf('sitecertificates', namespace, name);
      if (isWithheld && concerned.has(key))
        unknown.set(
          key,
          `SiteCertificate ${namespace}/${name}: you may not read its Secret ${certificate.spec.secretRef.name}, so it is not known whether the certificate would be uploaded.`,
        );
    }
    const notes = forbidden.map(
      ({ namespace, name }) =>
        `You may not read the Secret ${namespace}/${name}: whether what it holds is news for the service is not known.`,
    );
    return { unknown, notes };
  }

  function ensureNamespaces({ cluster, manifests }: PlanInput): void {
    const named = manifests.filter(({ object }) => object['kind'] === 'Namespace');
    const own = new Set(named.map(({ object }) => textAt(object, 'metadata', 'name')));
    const places = cluster
      .filter(({ kind }) => kind !== 'Secret')
      .map((object) => textAt(object, 'metadata', 'namespace'));
    for (const name of new Set(['edgeline-system', ...places])) {
      if (name === undefined || own.has(name) || apiserver.get('namespaces', '', name)) continue;
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      apiserver.handle({ method: 'POST', path: '/api/v1/namespaces', user: 'plan', body });
    }
  }
}

/** Without credentials an account is what the statuses say of it. */
function unknownCredentials({ account }: UsedAccount): { accessToken: string; accessTokenSecret: string } {
  const place = account.metadata.namespace ?? account.spec.secretNamespace ?? '';
  const value = `${UNKNOWN_VALUE}-${place}-${account.spec.credentialsSecretRef.name}`;
  return { accessToken: value, accessTokenSecret: value };
}

function countManaged(keys: ReadonlySet<string>): number {
  return [...keys].filter((key) => managedPlurals.some((plural) => key.startsWith(`${plural}/`))).length;
}

function ofAccount(all: Objects, account: string, among?: ReadonlySet<string>): Objects {
  const keys = new Set(
    managedIn(all)
      .filter(({ key, object }) => accountKeyOf(object, all.accounts) === account && (among?.has(key) ?? true))
      .map(({ key }) => key),
  );
  const kept = <T extends { metadata: { name: string; namespace?: string } }>(plural: string, objects: readonly T[]) =>
    objects.filter(({ metadata }) => keys.has(keyOf(plural, metadata.namespace, metadata.name)));
  return {
    sims: kept('sims', all.sims),
    gateways: kept('mobilegateways', all.gateways),
    sites: kept('webaccelsites', all.sites),
    certificates: kept('sitecertificates', all.certificates),
    accounts: all.accounts,
  };
}

/** The part of the cluster that matters; what is not concerned is paused, so that it stays as it is. */
function shadowOf({ revision, objects }: Backup, concern: Concern): Backup {
  const kept = [...objects].map(([plural, stored]): [string, readonly StoredObject[]] => [
    plural,
    stored.flatMap((object) => {
      const key = keyOf(plural, object.metadata.namespace, object.metadata.name);
      if (!isNeeded(key, concern)) return [];
      const isNeighbour = managedPlurals.some((one) => one === plural) && !concern.concerned.has(key);
      return [isNeighbour ? paused(object) : object];
    }),
  ]);
  return { revision, objects: new Map(kept) };
}

function paused(object: StoredObject): StoredObject {
  const annotations = { ...object.metadata.annotations, 'edgeline.dev/paused': 'true' };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function notesOf({ others }: Rehearsal): string[] {
  if (others.size === 0) return [];
  const counts = [...others].map(([kind, count]) => `${count} ${kind}`);
  return [`Manifests of other kinds: ${counts.join(', ')}.`];
}

/** Who has what, by the statuses of resources before and after. */
export function holdersOf(
  before: readonly Objects[],
  changes: readonly Change[],
  objectAfter: Played['object'],
): Holders {
  const resources = new Map<string, string>();
  const certificates = new Map<string, string>();
  const kinds: Readonly<Record<string, string>> = { sims: 'sims', mobilegateways: 'gateways', webaccelsites: 'sites' };
  for (const { key, object } of before.flatMap(managedIn)) {
    const { plural, namespace, name } = parseKey(key);
    const now = textAt(objectAfter(plural, namespace, name), 'status', 'id');
    for (const id of [object.status?.id, now]) {
      if (id === undefined) continue;
      const kind = kinds[plural];
      if (kind === undefined) certificates.set(id, key);
      else resources.set(`${kind} ${id}`, key);
    }
  }
  const made = changes.flatMap(({ objects }) =>
    objects.flatMap((object) => (object.before === undefined ? [object.id] : [])),
  );
  return { resources, certificates, made: new Set(made) };
}

function unsettledOf(key: string, played: Played): Unsettled {
  const { plural, namespace, name } = parseKey(key);
  const object = played.object(plural, namespace, name);
  const condition = conditionOf(object, 'Stalled') ?? conditionOf(object, 'Synced') ?? conditionOf(object, 'Ready');
  return {
    kind: plannedKindOf(plural).kind,
    namespace,
    name,
    reason: textAt(condition, 'reason') ?? 'Unknown',
    message: textAt(condition, 'message') ?? 'It would not be looked at within a day.',
  };
}

function wordsOf(key: string): string {
  const { plural, namespace, name } = parseKey(key);
  return `${plannedKindOf(plural).kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
