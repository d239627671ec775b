import { createRandom } from '../shadow/world/random.ts';
import { accountKeyOf, keyOfAccount, managedIn, UNKNOWN_VALUE, type UsedAccount, usedAccounts } from './accounts.ts';
import type { PlannedCall } from './call.ts';
import { callsOf } from './calls.ts';
import { concernOf } from './concern.ts';
import { countedBeside } from './counted.ts';
import { heldInTurn } from './held.ts';
import { holdersOf } from './holders.ts';
import type { Applying } from './manifests/applying.ts';
import { clusterOf, type Manifest, type Rehearsal, rehearse } from './manifests/rehearse.ts';
import { KUBECTL } from './manifests/server-side.ts';
import {
  keyOf,
  managedPlurals,
  type ObjectJson,
  type Objects,
  objectsIn,
  parseKey,
  plannedKindOf,
  textAt,
} from './objects.ts';
import { pausesIn, resumed } from './pauses.ts';
import type { Listed, Picture } from './picture/picture.ts';
import { recordedPicture } from './picture/recorded.ts';
import { conditionOf, type Played, play } from './play.ts';
import type { Plan, Unsettled } from './result.ts';
import { bringSecrets, type ReadSecrets } from './secrets.ts';
import { shadowOf } from './shadow.ts';
import { lostRace, undecidedOf } from './undecided.ts';
import { playedAccounts } from './worlds.ts';

/** The path by which a SIM is taken off a gateway. */
const REGISTRATION = /^\/appliance\/(\d+)\/mobilegateway\/sims\/\d+$/;

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
  /** How the manifests are to be applied; default: as `kubectl apply` does. */
  readonly applying?: Applying | undefined;
  /** ClusterCloudAccounts could not be listed: one that is not in `cluster` may be there all the same. */
  readonly mayLackAccounts?: boolean;
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

/** What came of asking the service. */
export interface Answers {
  /** By account. */
  readonly answers: ReadonlyMap<string, Answered>;
  /** Resources that nothing can be said about, by `keyOf`, with a sentence why. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** Where nobody asked the service, and the statuses say all that the plan needs: a sentence each. */
  readonly fromStatuses?: readonly string[];
}

/** What a plan has to be told while it is made. */
export interface Sources {
  readonly secrets: ReadSecrets;
  /** Reads the service for all accounts that matter. */
  ask(questions: readonly Question[]): Promise<Answers>;
}

/** What the operator would send if the manifests were applied. */
export async function planOf(input: PlanInput, sources: Sources): Promise<Plan> {
  const { now } = input;
  const apiserver = clusterOf(input.cluster, { now: () => now, random: createRandom('rehearsal') });
  ensureNamespaces(input);
  // What the statuses say of the service they say also of what is deleted.
  const standing = objectsIn((plural) => apiserver.list(plural));
  const before = apiserver.backup().objects;
  const rehearsal = rehearse(apiserver, input.manifests, input);
  const concern = concernOf(
    (plural) => apiserver.list(plural),
    (plural) => before.get(plural) ?? [],
    rehearsal,
  );
  const all = objectsIn((plural) => apiserver.list(plural));
  const withheld = await bringSecrets(apiserver, all, {
    ...concern,
    namespace: input.namespace,
    read: sources.secrets,
  });
  const near = new Set([...concern.concerned, ...concern.neighbours]);
  const used = usedAccounts(all, near, (namespace, name) => apiserver.get('secrets', namespace, name));
  const questions = used.map((account) => ({
    account,
    objects: ofAccount(all, account.key, concern.concerned),
    sites: all.sites,
  }));
  const { answers, unknown: unread, notes, fromStatuses } = await sources.ask(questions);
  const accountless = input.mayLackAccounts ? withoutAccount(all, concern.concerned) : [];
  const unknown = new Map([...unread, ...withheld.unknown, ...accountless]);
  const concerned = new Set([...concern.concerned].filter((key) => !unknown.has(key)));
  const base = {
    refused: rehearsal.refused,
    isComplete: unknown.size === 0 && notes.length === 0 && withheld.notes.length === 0,
    notLookedAt: [
      ...notes,
      ...(fromStatuses ?? []),
      ...withheld.notes,
      ...new Set(unknown.values()),
      ...notesOf(rehearsal),
    ],
    resources: {
      named: countManaged(rehearsal.named),
      changed: countManaged(new Set([...rehearsal.changed].filter((key) => !rehearsal.deleted.has(key)))),
      pruned: rehearsal.deleted.size,
    },
  };
  if (concerned.size === 0) return { ...base, calls: [], unsettled: [], unapproved: [], paused: [], undecided: [] };
  const known = used.map((account) => ({
    account,
    credentials: account.credentials ?? unknownCredentials(account),
    recorded: recordedPicture(ofAccount(standing, account.key)),
    answered: answers.get(account.key),
  }));
  const neighbours = new Set([...concern.neighbours, ...countedBeside(all, concerned)]);
  const applied = apiserver.backup();
  const pauses = pausesIn(applied, concerned);
  const played = await play({
    cluster: shadowOf(resumed(applied, pauses), { concerned, neighbours }),
    accounts: playedAccounts(known, now),
    concerned,
    now,
  });
  const accountOf = new Map(managedIn(all).map(({ key, object }) => [key, accountKeyOf(object, all.accounts)]));
  const calls = callsOf(played.changes, {
    holders: holdersOf([all], played.changes, played.object),
    concerned,
    now,
    accountOf: (resource) => wordsOf(accountOf.get(resource) ?? ''),
    hasKey: (resource) =>
      used.some(({ key, credentials }) => key === accountOf.get(resource) && credentials !== undefined),
  });
  const unsettled = played.unsettled.map((key) => unsettledOf(key, played));
  const reasons = new Map(played.unsettled.map((key, place) => [key, unsettled[place]?.reason]));
  const undecided = new Set([
    ...undecidedOf(
      all,
      rehearsal,
      (key) => reasons.get(key),
      (key) => gatewaysLeft(calls.filter((call) => call.method === 'DELETE' && keyOfCall(call) === key)),
    ),
    ...unsettled.flatMap((one) => lostRace(one, rehearsal.created)),
    ...heldInTurn(unsettled),
  ]);
  const unapproved = played.unapproved.map(wordsOf);
  const holding = calls.flatMap((call) => {
    const resource = keyOfCall(call) ?? '';
    return [resource, accountOf.get(resource) ?? '', keyOf('namespaces', '', call.resource.namespace)];
  });
  const paused = [...new Set(holding.filter((key) => pauses.has(key)))].map(wordsOf);
  return { ...base, calls, unsettled, unapproved, paused, undecided: [...undecided] };

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

/** Resources of an account of the cluster that may not be seen: what it asks and where it is are not known. */
function withoutAccount(all: Objects, concerned: ReadonlySet<string>): [string, string][] {
  const known = new Set(all.accounts.map(keyOfAccount));
  return managedIn(all).flatMap(({ key, object }) => {
    const account = accountKeyOf(object, all.accounts);
    if (!concerned.has(key) || known.has(account) || !account.startsWith('clustercloudaccounts/')) return [];
    const { name } = parseKey(account);
    return [[key, `${wordsOf(key)}: you may not read the ClusterCloudAccount ${name}, if it is there.`]];
  });
}

function gatewaysLeft(calls: readonly PlannedCall[]): ReadonlySet<string> {
  return new Set(calls.flatMap(({ path }) => REGISTRATION.exec(path)?.[1] ?? []));
}

function keyOfCall({ resource: { kind, namespace, name } }: PlannedCall): string | undefined {
  const plural = managedPlurals.find((one) => plannedKindOf(one).kind === kind);
  return plural && keyOf(plural, namespace, name);
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

function notesOf({ others, appliedOtherwise }: Rehearsal): string[] {
  const counts = [...others].map(([kind, count]) => `${count} ${kind}`);
  const managers = Map.groupBy(appliedOtherwise, ([, manager]) => manager);
  return [
    ...[...managers].map(([manager, of]) => {
      const [first] = of.map(([what]) => what);
      const more = of.length > 1 ? ` and ${of.length - 1} more` : '';
      return `${first}${more}: applied with --server-side by ${manager} before, and taken to be applied without it now, which un-sets nothing that has left a manifest; if you apply as before, add --server-side${manager === KUBECTL ? '' : ` --field-manager ${manager}`}.`;
    }),
    ...(counts.length > 0 ? [`Manifests of other kinds: ${counts.join(', ')}.`] : []),
  ];
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
    message: foretold(textAt(condition, 'message')) ?? 'It would not be looked at within a day.',
  };
}

/** What the service answers in the shadow it has not said. */
function foretold(message: string | undefined): string | undefined {
  return message
    ?.replaceAll('the service answered ', 'the service would answer ')
    .replaceAll(/ \(serial [\w-]{1,64}\)/g, '');
}

function wordsOf(key: string): string {
  const { plural, namespace, name } = parseKey(key);
  return `${plannedKindOf(plural).kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
