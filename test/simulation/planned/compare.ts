import { managedIn } from '../../../src/plan/accounts.ts';
import { learn } from '../../../src/plan/ask.ts';
import type { PlannedCall } from '../../../src/plan/call.ts';
import { callsOf } from '../../../src/plan/calls.ts';
import { concernOf } from '../../../src/plan/concern.ts';
import { holdersOf } from '../../../src/plan/holders.ts';
import { collection, definitions, type Manifest, rehearse } from '../../../src/plan/manifests/rehearse.ts';
import { keyOf, type ObjectJson, objectsIn, plannedKindOf, plannedKinds } from '../../../src/plan/objects.ts';
import { recordedPicture } from '../../../src/plan/picture/recorded.ts';
import { type Answered, type Answers, planOf, type Question } from '../../../src/plan/plan.ts';
import type { Plan } from '../../../src/plan/result.ts';
import { createApiserver, type StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';
import { changedMembers } from '../../../src/shadow/service/ledger.ts';
import { createService } from '../../../src/shadow/service/service.ts';
import type { Change } from '../../../src/shadow/service/types.ts';
import { createRandom, type Random } from '../../../src/shadow/world/random.ts';
import { createWorld, EPOCH, type World } from '../../../src/shadow/world/world.ts';
import { drawCast, type Role } from '../life/draw/cast.ts';
import { type DrawnSetting, drawSetting } from '../life/draw/setting.ts';
import { drawSpec } from '../life/draw/specs.ts';
import { kinds } from '../life/draw/vocabulary.ts';
import type { JsonObject } from '../life/json.ts';
import { readerOf } from './reader.ts';

const MINUTE = 60_000;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A plan, and what came of it. */
export interface Comparison {
  readonly plan: Plan;
  /** What the operator sent after the manifests were applied. */
  readonly sent: readonly PlannedCall[];
  /** What it sent for resources that the plan is not about. */
  readonly others: readonly string[];
  readonly manifests: readonly Manifest[];
  readonly trace: readonly string[];
  /** The plan says that chance decides something of it. */
  readonly isUndecided: boolean;
}

/** A cluster and a service as users have them, at rest, and manifests that a seed decides; planned, then applied. */
export async function comparePlan(seed: number, trace = false): Promise<Comparison> {
  const random = createRandom(`plan ${seed}`);
  const drawn = drawSetting(random.fork('setting'), { isTight: false, hasOther: false });
  const cast = drawCast(drawn, random.fork('cast'));
  const world = worldOf(drawn, random, trace);
  const present = new Map(cast.filter(() => random.chance(0.7)).map((role) => [role, specOf(role, cast, random)]));
  for (const { ref, manifest } of drawn.setting.objects) {
    apply(world, manifest, ref.plural, ref.namespace ?? '', ref.name);
  }
  for (const [role, spec] of present) applyRole(world, role, spec);
  world.calm();
  world.start('operator');
  await world.run(random.pick([30, 50, 95]) * MINUTE);
  const manifests: Manifest[] = [];
  const prune = new Set<string>();
  for (const role of cast) {
    const spec = present.get(role);
    const { plural, namespace, name } = role.ref;
    const changes = random.chance(spec ? 0.35 : 0.6);
    if (spec && changes && random.chance(0.3)) prune.add(keyOf(plural, namespace, name));
    else if (changes) manifests.push(manifestOf(role, edited(spec, role, cast, random)));
    else if (spec && random.chance(0.5)) manifests.push(manifestOf(role, spec));
  }
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
  const rehearsal = rehearse(world.apiserver, manifests, { namespace: 'default', prune, cluster: clusterOf(world) });
  const { concerned } = concernOf((plural) => world.apiserver.list(plural), rehearsal);
  const all = objectsIn((plural) => world.apiserver.list(plural));
  await settle(world);
  // What the service does not show is sent again each hour, whatever anybody applies.
  const isSentAgain = ({ route, ids, before: was, after: is }: Change) =>
    route.endsWith('/dnsresolver') &&
    changedMembers({ before: was, after: is }).length === 0 &&
    !plan.calls.some((call) => call.route === route && call.path.includes(`/${ids[0] ?? ''}/`));
  const changes = world.service.changes.slice(before).filter((change) => !isSentAgain(change));
  const holders = holdersOf([known, all], changes, (plural, namespace, name) =>
    world.apiserver.get(plural, namespace, name),
  );
  const options = { holders, now, accountOf: (name: string) => name };
  const others = new Set(
    managedIn(all)
      .map(({ key }) => key)
      .filter((key) => !concerned.has(key)),
  );
  return {
    plan,
    sent: callsOf(changes, { ...options, concerned }),
    others: callsOf(changes, { ...options, concerned: others }).map(
      ({ route, resource }) => `${resource.kind} ${resource.namespace}/${resource.name}: ${route}`,
    ),
    manifests,
    trace: world.trace,
    isUndecided: plan.undecided.length > 0,
  };
}

function worldOf(drawn: DrawnSetting, random: Random, trace: boolean): World {
  const { setting } = drawn;
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

function around(role: Role, cast: readonly Role[]) {
  const names = (plural: string) =>
    cast.filter(({ ref }) => ref.plural === plural && ref.namespace === role.ref.namespace).map(({ ref }) => ref.name);
  return { gateways: names('mobilegateways'), sims: names('sims') };
}

function specOf(role: Role, cast: readonly Role[], random: Random): JsonObject {
  return drawSpec(role.plural, role.fixed, random, around(role, cast));
}

/** A spec that differs in a field or two, or in all. */
function edited(spec: JsonObject | undefined, role: Role, cast: readonly Role[], random: Random): JsonObject {
  const other = specOf(role, cast, random);
  if (!spec || random.chance(0.4)) return other;
  const names = Object.keys({ ...spec, ...other }).filter((name) => !(name in role.fixed));
  if (names.length === 0) return spec;
  const chosen = random.pick(names);
  const { [chosen]: _, ...rest } = spec;
  const value = other[chosen];
  return value === undefined ? rest : { ...rest, [chosen]: value };
}

function manifestOf({ ref, plural }: Role, spec: JsonObject): Manifest {
  const metadata = { name: ref.name, namespace: ref.namespace ?? '' };
  return {
    source: `${plural}/${ref.name}.yaml`,
    object: { apiVersion: 'edgeline.dev/v1alpha1', kind: kinds[plural], metadata, spec },
  };
}

/** As `kubectl apply` makes it. */
function applyRole(world: World, role: Role, spec: JsonObject): void {
  const { object } = manifestOf(role, spec);
  const annotations = { [LAST_APPLIED]: JSON.stringify(object) };
  const { ref } = role;
  const metadata = { name: ref.name, namespace: ref.namespace ?? '', annotations };
  apply(world, { ...object, metadata }, role.ref.plural, role.ref.namespace ?? '', role.ref.name);
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
