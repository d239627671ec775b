import type { Change } from '../shadow/service/types.ts';
import { UNKNOWN_VALUE } from './accounts.ts';
import type { FieldChange, PlannedCall } from './call.ts';
import { fieldsOf, isRepeated, isSecretText } from './fields.ts';
import { memberAt, parseKey, plannedKindOf, textAt } from './objects.ts';

/** What is known of who has what at the service. */
export interface Holders {
  /** The resource (`keyOf`) that has a SIM, gateway or site, by `kind id` as in `sims 113300000001`. */
  readonly resources: ReadonlyMap<string, string>;
  /** The resource with the certificate of a site, by the site's ID. */
  readonly certificates: ReadonlyMap<string, string>;
  /** The objects that the plan makes: their IDs are none that the service would give. */
  readonly made: ReadonlySet<string>;
}

/**
 * The calls that changes in the shadow stand for. Only those for resources that are concerned: what else the operator would
 * send has nothing to do with the manifests. Pure.
 */
export function callsOf(
  changes: readonly Change[],
  options: {
    readonly holders: Holders;
    readonly concerned: ReadonlySet<string>;
    /** When the manifests are applied, milliseconds since the Unix epoch. */
    readonly now: number;
    /** The account of a resource (`keyOf`), in words. */
    readonly accountOf: (resource: string) => string;
    /**
     * Whether the secret of its account is known, with which the digests of what was written are keyed; absent: it is.
     * Without it, whether a secret is another can't be told.
     */
    readonly hasKey?: (resource: string) => boolean;
  },
): PlannedCall[] {
  const { holders, concerned, now, accountOf, hasKey = () => true } = options;
  return changes.flatMap((change): PlannedCall[] => {
    const key = resourceOf(change, holders);
    if (key === undefined || !concerned.has(key)) return [];
    const { kind, namespace, name } = wordsOf(key);
    const told = fieldsOf(change, (id) => nameOf(id, holders, false));
    const isUnread = JSON.stringify(change.body ?? '').includes(UNKNOWN_VALUE) || !hasKey(key);
    const fields = isUnread ? told.map(withoutSecret) : told;
    return [
      {
        resource: { kind, namespace, name },
        account: accountOf(key),
        method: change.method,
        path: pathOf(change, (id) => nameOf(id, holders, true)),
        route: change.route,
        fields,
        isRepeated: isRepeated(change),
        after: Math.round((change.at - now) / 1000),
        isUncertain: fields.length > 0 && fields.every(({ after }) => after === NOT_KNOWN),
      },
    ];
  });
}

const NOT_KNOWN = '(not known)';

/** Whether a secret is another can't be told. */
function withoutSecret(change: FieldChange): FieldChange {
  return isSecretText(change.after) ? { ...change, after: NOT_KNOWN } : change;
}

function wordsOf(key: string): { readonly kind: string; readonly namespace: string; readonly name: string } {
  const { plural, namespace, name } = parseKey(key);
  return { kind: plannedKindOf(plural).kind, namespace, name };
}

/** The resource that a write is for. */
export function resourceOf({ route, ids, objects, body }: Change, holders: Holders): string | undefined {
  const { resources, certificates } = holders;
  const [first = '', second] = ids;
  if (route.includes('/site/')) {
    return route.endsWith('/certificate') ? certificates.get(first) : resources.get(`sites ${first}`);
  }
  if (route.includes('/mobilegateway/sims')) {
    const sim = second ?? textAt(body, 'sim', 'resource_id') ?? JSON.stringify(memberAt(body, 'sim', 'resource_id'));
    return resources.get(`sims ${sim}`) ?? resources.get(`gateways ${first}`);
  }
  const made = ids.length === 0 ? objects.find(({ before }) => before === undefined) : undefined;
  if (made) return resources.get(`${made.kind} ${made.id}`);
  return resources.get(`${route.includes('/appliance') ? 'gateways' : 'sims'} ${first}`);
}

/** The path of a route with the IDs in their places. */
function pathOf({ route, ids }: Change, nameOf: (id: string) => string): string {
  const template = route.slice(route.indexOf(' ') + 1).replace(/^webaccel/, '');
  let place = 0;
  return template.replaceAll(/:[A-Za-z]+/g, () => nameOf(ids[place++] ?? ''));
}

/** The name of the resource that has an ID; in a path, only where no ID is there yet. */
function nameOf(id: string, { resources, made }: Holders, isPath: boolean): string {
  if (isPath && !made.has(id)) return id;
  const key = ['sims', 'gateways', 'sites'].flatMap((kind) => resources.get(`${kind} ${id}`) ?? [])[0];
  if (key === undefined) return id;
  const { kind, namespace, name } = wordsOf(key);
  return made.has(id) ? `(new ${kind} ${namespace}/${name})` : `${kind} ${namespace}/${name}`;
}
