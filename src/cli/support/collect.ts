import type { Clock } from '../../clock.ts';
import { HOLDER_LEASE } from '../../kubernetes/holdings.ts';
import type { Lease } from '../../kubernetes/lease-object.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { EVENTS, LEASES, type Resource } from '../../kubernetes/resource.ts';
import { escapeUnsafe } from '../../unsafe.ts';
import { ClusterError } from '../errors.ts';
import { kindOf, kinds } from '../kinds.ts';
import { isNamespaceName } from '../presence.ts';
import type { Session } from '../session.ts';
import { fetchReport, scopesOf } from '../status/fetch.ts';
import { reportJson } from '../status/report.ts';
import { filesOfPod, type Pod } from './pods.ts';
import { scrubForBundle } from './scrub.ts';

/** A file of the bundle. */
export interface BundleFile {
  /** With `/` between its folders. */
  readonly path: string;
  readonly text: string;
}

/** What was collected, and what could not be. */
export interface Bundle {
  readonly files: readonly BundleFile[];
  readonly missing: readonly Missing[];
}

export interface Missing {
  readonly what: string;
  readonly why: string;
}

const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const DEPLOYMENTS: Resource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
};
const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
};
const GROUP = kindOf('Sim').group;
const OF_EDGELINE = 'app.kubernetes.io/name=edgeline';
/** Where the chart and the overlays install it, if no Lease says otherwise. */
const DEFAULT_NAMESPACE = 'edgeline-system';

/** Of all logs and metrics: anybody may run pods that look like an operator's. */
const MOST_CHARACTERS = 100 * 1024 * 1024;

/** Of each of them: whatever runs in a pod answers as much, and as slowly, as it likes. */
const OF_POD = { bytes: 16 * 1024 * 1024, milliseconds: 60_000 };

interface Definition extends KubernetesObject {
  readonly spec?: { readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] };
}

/** Of all of them; pods that answer slowly may be many. */
const MOST_MILLISECONDS = 300_000;

/** What is collected, and of which time. */
export interface CollectOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly version: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Of the operator; undefined: the one that the Leases of the namespaces name. */
  readonly operatorNamespace: string | undefined;
  /** The last lines of each log that are taken. */
  readonly logLines: number;
}

/**
 * Reads all that helps to understand what an operator does, as far as the user may: no Secret is read, and whatever looks
 * like a secret is taken out.
 */
export async function collect(session: Session, options: CollectOptions): Promise<Bundle> {
  const files: BundleFile[] = [];
  const missing: Missing[] = [];
  const attempt = async <T>(what: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      missing.push({ what, why: error.message });
      return undefined;
    }
  };
  const put = (path: string, value: unknown) =>
    files.push({ path, text: `${escapeUnsafe(JSON.stringify(scrubForBundle(value), undefined, 2))}\n` });
  const list = async <T extends KubernetesObject>(path: string, resource: Resource, place: string | undefined) => {
    const found = await attempt(resource.plural, () => session.list<T>(resource, place));
    if (found) put(path, found);
    return found;
  };

  const cluster = await attempt('the version of the cluster', () => session.read('/version'));
  const definitions = await attempt('customresourcedefinitions', () =>
    session.list<Definition>(DEFINITIONS, undefined),
  );
  put('versions.json', { edgeline: options.version, cluster, definitions: definitions?.flatMap(versionsOf) });
  for (const kind of kinds) await list(`resources/${kind.plural}.json`, kind, session.namespace);
  const report = await attempt('what edgeline status says', () =>
    fetchReport(session, scopesOf([]), undefined, options.now),
  );
  if (report) put('status.json', reportJson(report, true));
  const events = await attempt('events', () => session.list<EventAbout>(EVENTS, session.namespace));
  if (events) put('events.json', events.filter(isOfEdgeline));
  const fieldSelector = `metadata.name=${HOLDER_LEASE}`;
  const holders = await attempt('leases', () => session.list<Lease>(LEASES, session.namespace, { fieldSelector }));
  if (holders) put('leases.json', holders);

  const places = operatorNamespaces(options.operatorNamespace, holders ?? []);
  let characters = 0;
  const begun = options.clock.monotonic();
  const elapsed = () => options.clock.monotonic() - begun;
  for (const [index, place] of places.entries()) {
    // Whoever may write the Lease of a namespace has one looked at: each has its share, and leaves the others theirs.
    const share = (most: number, used: number) => used + (most - used) / (places.length - index);
    const most = { characters: share(MOST_CHARACTERS, characters), milliseconds: share(MOST_MILLISECONDS, elapsed()) };
    const limit = () =>
      characters > most.characters
        ? 'there is too much already'
        : elapsed() > most.milliseconds
          ? 'the pods before it took too long'
          : undefined;
    await list(`operator/${place}/leases.json`, LEASES, place);
    const deployments = await attempt(`deployments in namespace ${place}`, () =>
      session.list(DEPLOYMENTS, place, { labelSelector: OF_EDGELINE }),
    );
    if (deployments) put(`operator/${place}/deployments.json`, deployments);
    const pods = await attempt(`pods in namespace ${place}`, () =>
      session.list<Pod>(PODS, place, { labelSelector: OF_EDGELINE }),
    );
    if (pods) put(`operator/${place}/pods.json`, pods);
    if (pods?.length === 0)
      missing.push({ what: `pods in namespace ${place}`, why: `none has the label ${OF_EDGELINE}` });
    for (const pod of pods ?? []) {
      for (const { path, from, clean, isOptional } of filesOfPod(place, pod, options.logLines)) {
        const reached = limit();
        if (reached !== undefined) {
          missing.push({ what: path, why: `${reached}: name a namespace with -n or --operator-namespace` });
          continue;
        }
        const text = await (isOptional
          ? session.read(from, OF_POD).catch(() => undefined)
          : attempt(path, () => session.read(from, OF_POD)));
        if (typeof text !== 'string') continue;
        // Whatever runs there writes this, and somebody looks at it in a terminal.
        const cleaned = escapeUnsafe(clean(text));
        characters += cleaned.length;
        files.push({ path, text: cleaned });
      }
    }
  }
  return { files, missing };
}

interface EventAbout extends KubernetesObject {
  readonly regarding?: { readonly apiVersion?: string };
}

function isOfEdgeline({ regarding }: EventAbout): boolean {
  return regarding?.apiVersion?.startsWith(`${GROUP}/`) ?? false;
}

function versionsOf({ metadata, spec }: Definition): object[] {
  if (!metadata.name.endsWith(`.${GROUP}`)) return [];
  const { name, generation, creationTimestamp, labels, annotations } = metadata;
  return [
    { name, generation, creationTimestamp, labels, annotations, versions: spec?.versions?.map(({ name }) => name) },
  ];
}

/** The namespaces of the installations that hold what was looked at. Pure. */
export function operatorNamespaces(asked: string | undefined, holders: readonly Lease[]): string[] {
  if (asked !== undefined) return [asked];
  // Whoever may write the Lease of a namespace writes this: what is no name leads to another path, here and in the archive.
  const named = holders.flatMap(({ spec }) => {
    const [namespace = ''] = spec?.holderIdentity?.split('/') ?? [];
    return isNamespaceName(namespace) ? [namespace] : [];
  });
  return named.length > 0 ? [...new Set(named)].sort() : [DEFAULT_NAMESPACE];
}
