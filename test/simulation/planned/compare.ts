import { managedIn } from '../../../src/plan/accounts.ts';
import { learn } from '../../../src/plan/ask.ts';
import type { PlannedCall } from '../../../src/plan/call.ts';
import { callsOf } from '../../../src/plan/calls.ts';
import { concernOf } from '../../../src/plan/concern.ts';
import { holdersOf } from '../../../src/plan/holders.ts';
import { collection, definitions, type Manifest, pluralOf, rehearse } from '../../../src/plan/manifests/rehearse.ts';
import { type ObjectJson, objectsIn, plannedKindOf, plannedKinds, textAt } from '../../../src/plan/objects.ts';
import { recordedPicture } from '../../../src/plan/picture/recorded.ts';
import { type Answered, type Answers, planOf, type Question } from '../../../src/plan/plan.ts';
import type { Plan } from '../../../src/plan/result.ts';
import { createApiserver, type StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';
import { changedMembers } from '../../../src/shadow/service/ledger.ts';
import { createService } from '../../../src/shadow/service/service.ts';
import type { Change } from '../../../src/shadow/service/types.ts';
import { createWorld, EPOCH, type World } from '../../../src/shadow/world/world.ts';
import { type DrawnChange, type DrawnState, drawState } from './draw.ts';
import { isOfTime } from './of-time.ts';
import { readerOf } from './reader.ts';
import { unseenDifferences, withoutUnseen } from './unseen-secrets.ts';

const MINUTE = 60_000;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A plan, and what came of it. */
export interface Comparison {
  readonly plan: Plan;
  /** The calls of the plan, and what the operator sent after the manifests were applied; without what nobody sees. */
  readonly planned: readonly PlannedCall[];
  readonly sent: readonly PlannedCall[];
  /** What it sent for resources that the plan is not about, and what differs of secrets. */
  readonly others: readonly string[];
  readonly manifests: readonly Manifest[];
  readonly trace: readonly string[];
  /** The plan says that chance decides something of it. */
  readonly isUndecided: boolean;
}

/**
 * A cluster and a service as users have them, at rest, and manifests that a seed decides; planned, then applied. When all
 * of it is done, the next are planned in the same cluster, as often as another is asked for.
 */
export async function* comparePlans(seed: number, trace = false): AsyncGenerator<Comparison, never, void> {
  const state = drawState(seed);
  const world = worldOf(state, trace);
  for (const { ref, manifest } of state.setting.objects) {
    apply(world, manifest, ref.plural, ref.namespace ?? '', ref.name);
  }
  for (const object of state.present) applyAsKubectl(world, object);
  world.calm();
  world.start('operator');
  await world.run(state.age);
  for (let change: DrawnChange = state; ; change = state.next()) yield await compare(world, change);
}

async function compare(world: World, { manifests: objects, prune }: DrawnChange): Promise<Comparison> {
  const manifests = objects.map((object): Manifest => ({ source: sourceOf(object), object }));
  const now = EPOCH + Math.floor(world.now());
  const cluster = clusterOf(world);
  const plan = await planOf(
    { cluster: cluster.filter(({ kind }) => kind !== 'Secret'), manifests, namespace: 'default', prune, now },
    {
      secrets: async (names) => ({
        found: names.flatMap(({ namespace, name }) => world.apiserver.get('secrets', namespace, name) ?? []),
        forbidden: [],
      }),
      ask: (questions) => askAll(world, questions, now),
    },
  );
  const before = world.service.changes.length;
  const known = objectsIn((plural) => world.apiserver.list(plural));
  const standing = world.apiserver.backup().objects;
  const rehearsal = rehearse(world.apiserver, manifests, { namespace: 'default', prune, cluster: clusterOf(world) });
  const { concerned } = concernOf(
    (plural) => world.apiserver.list(plural),
    (plural) => standing.get(plural) ?? [],
    rehearsal,
  );
  const all = objectsIn((plural) => world.apiserver.list(plural));
  await settle(world);
  // What the service does not show is sent again each hour, whatever anybody applies.
  const isSentAgain = ({ route, ids, before: was, after: is }: Change) =>
    route.endsWith('/dnsresolver') &&
    changedMembers({ before: was, after: is }).length === 0 &&
    !plan.calls.some((call) => call.route === route && call.path.includes(`/${ids[0] ?? ''}/`));
  const changes = world.service.changes
    .slice(before)
    .filter((change) => !isSentAgain(change) && !isOfTime(change, all.sims, now));
  const holders = holdersOf([known, all], changes, (plural, namespace, name) =>
    world.apiserver.get(plural, namespace, name),
  );
  const options = { holders, now, accountOf: (name: string) => name };
  const others = new Set(
    managedIn(all)
      .map(({ key }) => key)
      .filter((key) => !concerned.has(key)),
  );
  const sent = changes.flatMap((change) =>
    callsOf([change], { ...options, concerned }).map((call) => ({ call, body: change.body })),
  );
  // What had come over its limit since the last list was taken, time stops, too.
  const own = changes.filter((change) => !isOfTime(change, all.sims, now - 2 * MINUTE));
  const ofOthers = callsOf(own, { ...options, concerned: others }).map(
    ({ route, resource }) => `${resource.kind} ${resource.namespace}/${resource.name}: ${route}`,
  );
  return {
    plan,
    planned: plan.calls.map(withoutUnseen),
    sent: sent.map(({ call }) => withoutUnseen(call)),
    others: [...ofOthers, ...unseenDifferences(plan.calls, sent)],
    manifests,
    trace: world.trace,
    isUndecided: plan.undecided.length > 0,
  };
}

function worldOf({ setting, random }: DrawnState, trace: boolean): World {
  return createWorld({
    random: random.fork('world'),
    trace,
    apiserver: (now, chance) => {
      const uids = chance.fork('uids');
      return createApiserver({ now, uid: () => `${uids.int(2 ** 32)}-${uids.int(2 ** 32)}`, definitions });
    },
    service: (now, chance) =>
      createService({
        now,
        random: chance.next,
        accounts: setting.credentials,
        settings: { ...setting.service, pageLimit: 1000 },
        seed: setting.seed,
        passCodes: setting.passCodes,
      }),
  });
}

function sourceOf(object: ObjectJson): string {
  return `${pluralOf(object)}/${textAt(object, 'metadata', 'name')}.yaml`;
}

/** As `kubectl apply` makes it. */
function applyAsKubectl(world: World, object: ObjectJson): void {
  const namespace = textAt(object, 'metadata', 'namespace') ?? '';
  const name = textAt(object, 'metadata', 'name') ?? '';
  const annotations = { [LAST_APPLIED]: JSON.stringify(object) };
  apply(world, { ...object, metadata: { name, namespace, annotations } }, pluralOf(object) ?? '', namespace, name);
}

function apply({ apiserver }: World, manifest: ObjectJson, plural: string, namespace: string, name: string): void {
  if (plannedKindOf(plural).plural === 'namespaces' && apiserver.get(plural, '', name)) return;
  const body = JSON.stringify(manifest);
  apiserver.handle({ method: 'POST', path: collection(plural, namespace), user: 'user', body });
}

function clusterOf({ apiserver }: World): StoredObject[] {
  return plannedKinds.flatMap(({ plural }) => [...apiserver.list(plural)]);
}

async function askAll(world: World, questions: readonly Question[], now: number): Promise<Answers> {
  const answers = new Map<string, Answered>();
  for (const question of questions) {
    const { answered } = await learn(
      readerOf(world.service, question.account, () => now),
      question,
      {
        recorded: recordedPicture(question.objects),
        hour: 1000,
        reserve: async (requests) => requests,
        call: { lane: 'list' },
      },
    );
    answers.set(question.account.key, answered);
  }
  return { answers, unknown: new Map(), notes: [] };
}

/** Lives on until nothing was written for a while. */
async function settle(world: World): Promise<void> {
  let last = world.now();
  world.service.onChange(() => {
    last = world.now();
  });
  while (world.now() - last < 13 * MINUTE) await world.run(world.now() + 10_000);
}

/** The calls as lines, each resource's in their order: what different resources do at the same time has none. */
export function linesOf(calls: readonly PlannedCall[]): string[] {
  const byResource = new Map<string, string[]>();
  for (const { resource, method, path, fields } of calls) {
    const key = `${resource.kind} ${resource.namespace}/${resource.name}`;
    // What it was before nobody sees in the Documented dialect.
    const isUnseen = path.endsWith('/dnsresolver');
    const told = isUnseen
      ? ''
      : fields.map(({ field, before, after }) => `${field}: ${before ?? '-'} → ${after ?? '-'}`).join(', ');
    byResource.set(key, [...(byResource.get(key) ?? []), `${key}: ${method} ${path} ${told}`]);
  }
  return [...byResource].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, lines]) => lines);
}
