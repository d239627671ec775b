import { kindDefinitions } from '../../../src/kinds/index.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import type { OperatorOptions } from '../../../src/operator/options.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { createApiserver } from '../../../src/shadow/apiserver/apiserver.ts';
import { createService } from '../../../src/shadow/service/service.ts';
import { createRandom } from '../../../src/shadow/world/random.ts';
import { createWorld, type World } from '../../../src/shadow/world/world.ts';
import { type Counts, createCoverage } from './coverage.ts';
import { createPages } from './pages.ts';
import { collection, createPerformer, USER } from './perform.ts';
import type { Violation } from './scene.ts';
import type { Script } from './script.ts';
import type { Flags } from './setting.ts';
import { createWatch, type Watcher } from './watch.ts';

/** The operator that lives: today's, or one of other sources. */
export type StartOperator = (options: OperatorOptions) => Promise<Operator>;

export interface LifeOptions {
  /** Write down what happens. */
  readonly trace?: boolean;
  readonly startOperator?: StartOperator;
}

/** A life that was lived. */
export interface Life {
  /** In the order in which they were found; empty: all promises were kept. */
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  readonly coverage: Counts;
  readonly virtualMilliseconds: number;
  readonly messages: number;
  /** Whether it came to rest before its time was over. */
  readonly isSettled: boolean;
}

const definitions = kindDefinitions.map(toCustomResourceDefinition);

/** The CRDs stay as they are in a life: a fifth of all messages would ask for them. */
const DEFINITION_SECONDS = 60;

/** Lives a script: the same script, and the same operator, give the same life. */
export async function runLife(script: Script, options: LifeOptions = {}): Promise<Life> {
  const { setting } = script;
  let authorization: string | undefined;
  const world = createWorld({
    random: createRandom(script.seed).fork('world'),
    apiserver: (now, random) => createApiserver({ now, uid: uids(random.fork('uids').next), definitions }),
    service(now, random) {
      const service = createService({
        now,
        random: random.next,
        accounts: setting.credentials,
        settings: setting.service,
        seed: setting.seed,
        passCodes: setting.passCodes,
      });
      return {
        ...service,
        handle(request, fault) {
          authorization = request.headers['authorization'] ?? request.headers['Authorization'];
          return service.handle(request, fault);
        },
      };
    },
    trace: options.trace ?? false,
    ...(setting.epoch !== undefined && { epoch: setting.epoch }),
    // The log of changes is written whatever the level.
    logLevel: setting.logs ? 'debug' : 'error',
    ...(options.startOperator && { startOperator: options.startOperator }),
  });
  const { flags = {} } = setting;
  const pages = createPages(() => world, flags, setting.trouble);
  const coverage = createCoverage();
  for (const name of Object.keys(flags)) coverage.acted(`with ${name}`);
  const performer = createPerformer(world, coverage, (act) => watch.performed(act), flags);
  const watch: Watcher = createWatch(world, script, () => authorization);
  pages.onAnswer((process, query, answer) => {
    coverage.acted(`page ${answer.status}`);
    watch.shown(process, query, answer);
  });
  prepare(world, script);
  for (const { at, ...act } of script.steps) {
    world.at(at, () => performer.perform(act));
  }
  for (let index = 0; index < setting.replicas; index++) {
    world.start(`operator-${index + 1}`, {
      leaderElect: setting.leaderElect,
      definitionSeconds: DEFINITION_SECONDS,
      ...optionsOf(flags),
      ...pages.options,
    });
  }
  await world.run(setting.trouble, watch.isOver);
  performer.calm();
  world.calm();
  watch.calm();
  const isSettled = await watch.settle();
  if (isSettled) {
    for (const { act, also = [], within, why } of script.encore) {
      if (watch.isOver()) break;
      for (const one of [act, ...also]) performer.perform(one);
      await watch.encore(within, why);
    }
  }
  return {
    violations: watch.violations,
    trace: world.trace,
    coverage: coverage.counts,
    virtualMilliseconds: world.now(),
    messages: world.messages,
    isSettled,
  };
}

function optionsOf({ simRates, namespaces, secretNames, allowedHosts }: Flags): Partial<OperatorOptions> {
  return {
    ...(simRates && { simRates, resourceMetrics: 'names' }),
    ...(namespaces && { namespaces: [...namespaces] }),
    ...(secretNames && { secretNames: [...secretNames] }),
    ...(allowedHosts && { allowedHosts: [...allowedHosts] }),
  };
}

/** What is there before the operator starts. */
function prepare({ apiserver }: World, { setting }: Script): void {
  const lease = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edgeline-system' } };
  apiserver.handle({ method: 'POST', path: '/api/v1/namespaces', user: USER, body: JSON.stringify(lease) });
  for (const { ref, manifest } of setting.objects) {
    const path = collection(ref);
    const answer = apiserver.handle({ method: 'POST', path, user: USER, body: JSON.stringify(manifest) });
    if (answer.status !== 201) throw new Error(`${ref.plural} ${ref.name}: ${JSON.stringify(answer)}`);
  }
}

/** UIDs as the apiserver gives them, by chance that a seed decides. */
function uids(next: () => number): () => string {
  const hex = (digits: number) =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
