import { UsageError } from '../cli/errors.ts';
import { type Output, toJson, toYaml } from '../cli/output.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../cli/session.ts';
import { harmless } from '../cli/text/harmless.ts';
import { screenOf } from '../cli/text/screen.ts';
import { managedIn } from './accounts.ts';
import { readCluster, readSecrets, selected } from './cluster.ts';
import type { Applying } from './manifests/applying.ts';
import type { Manifest } from './manifests/rehearse.ts';
import { pluralOf } from './manifests/rehearse.ts';
import { keyOf, textAt } from './objects.ts';
import { planOf } from './plan.ts';
import { planMarkdown } from './render/markdown.ts';
import { planTable } from './render/table.ts';
import { exitCodeOf, planJson } from './report.ts';
import type { Plan } from './result.ts';
import { askService } from './service.ts';

/** So many resources take longer than a person waits without a word. */
const MANY = 100;

export interface PlanOptions extends ClusterFlags {
  readonly manifests: readonly Manifest[];
  readonly prune: boolean;
  readonly applying?: Applying | undefined;
  readonly selector?: string | undefined;
  readonly maxRequests: number;
  readonly output: Output;
}

/**
 * `edgeline plan`: prints what applying manifests would lead to at the service. Nothing is written there, nor in the cluster
 * but the count of the requests that are about to be sent. Gives the exit code: 0 where nothing would change, 2 where something
 * would or could not be looked at, 1 where the apiserver would refuse a manifest. Throws `UsageError`, `KubeconfigError` and
 * `ClusterError`.
 */
export async function runPlan(options: PlanOptions, surroundings: CliSurroundings): Promise<0 | 1 | 2> {
  const { manifests, prune, selector } = options;
  if (prune && selector === undefined)
    throw new UsageError(
      'without a selector, --prune would delete everything that the manifests do not name',
      'Add -l with the labels of what these manifests look after, for example -l app.kubernetes.io/instance=fleet.',
    );
  if (!prune && selector !== undefined)
    throw new UsageError('a selector is only for --prune', 'Add --prune, or leave out -l.');
  const session = await openSession(options, surroundings);
  try {
    const { clock, out, err, environment } = surroundings;
    const namespace = session.namespace ?? 'default';
    const cluster = await readCluster(session, manifests, namespace);
    const homes = manifests.map(({ object }) => textAt(object, 'metadata', 'namespace') ?? namespace);
    const places = [...new Set(homes.length > 0 ? homes : [namespace])];
    const pruned = selector === undefined ? new Set<string>() : await selected(session, selector, places);
    const present = new Set(
      cluster.objects.map((object) =>
        keyOf(
          pluralOf(object) ?? '',
          textAt(object, 'metadata', 'namespace'),
          textAt(object, 'metadata', 'name') ?? '',
        ),
      ),
    );
    const announce = (text: string) => void err.write(`${harmless(text)}\n`);
    const plan = await planOf(
      {
        cluster: cluster.objects,
        manifests,
        namespace,
        prune: pruned,
        now: clock.now(),
        applying: options.applying,
        mayLackAccounts: cluster.mayLackAccounts,
      },
      {
        secrets: (names) => readSecrets(session, names),
        ask: async (questions) => {
          const { maxRequests } = options;
          const answers = await askService(questions, { session, surroundings, maxRequests, present, announce });
          const count = questions.reduce((sum, { objects }) => sum + managedIn(objects).length, 0);
          if (count >= MANY)
            announce(`Working out what follows for ${count} resources: a minute or so for a thousand.`);
          return answers;
        },
      },
    );
    const notes = [
      ...elsewhere(manifests, options.namespace),
      ...(prune && pruned.size === 0 ? [unlabelled(selector ?? '', places)] : []),
    ];
    const whole = { ...plan, notLookedAt: [...notes, ...cluster.notes, ...plan.notLookedAt] };
    out.write(await printed(whole, options.output, screenOf(out, environment)));
    return exitCodeOf(whole);
  } finally {
    await session.close();
  }
}

/** What names another namespace than `-n`: Argo CD applies that where it says, kubectl with the same flag does not. Pure. */
export function elsewhere(manifests: readonly Manifest[], namespace: string | undefined): string[] {
  const found = manifests.filter(({ object }) => {
    const own = textAt(object, 'metadata', 'namespace');
    return namespace !== undefined && own !== undefined && own !== namespace;
  });
  const [first] = found;
  if (!first) return [];
  const others = found.length === 1 ? '' : ` and ${found.length - 1} more`;
  return [
    `${first.source}${others}: planned in the namespace that the manifest names, ${textAt(first.object, 'metadata', 'namespace')}; kubectl apply -n ${namespace} would refuse it: leave out -n, or correct the manifest.`,
  ];
}

/** Whoever prunes by labels that nothing has may have written others than the tool that deletes sets. */
function unlabelled(selector: string, places: readonly string[]): string {
  return `Nothing of Edgeline in ${places.join(', ')} has the labels ${selector}, so nothing would be pruned: \`kubectl get edgeline --show-labels\` shows which labels there are.`;
}

async function printed(plan: Plan, output: Output, screen: Parameters<typeof planTable>[1]): Promise<string> {
  switch (output) {
    case 'json':
      return toJson(planJson(plan));
    case 'yaml':
      return toYaml(planJson(plan));
    case 'markdown':
      return planMarkdown(plan);
    case 'table':
      return `${planTable(plan, screen).join('\n')}\n`;
  }
}
