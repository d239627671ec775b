import { SimReason } from '../kinds/sim/reasons.ts';
import { managedIn } from './accounts.ts';
import { keyOf, memberAt, type Objects, parseKey, plannedKindOf, textAt } from './objects.ts';
import type { Unsettled } from './result.ts';

/** What stands for one thing of the service that only one resource can have. */
const CLAIMS = ['iccid', 'domain', 'siteID', 'siteRef', 'resourceID'] as const;

/**
 * What no plan can tell, a sentence each: where manifests ask for two things at once that bear on each other, chance decides
 * which is first. Pure.
 */
export function undecidedOf(
  objects: Objects,
  {
    created,
    changed,
    deleted,
  }: {
    readonly created: ReadonlySet<string>;
    readonly changed: ReadonlySet<string>;
    readonly deleted: ReadonlySet<string>;
  },
): string[] {
  const all = managedIn(objects);
  const claims = new Map<string, string[]>();
  for (const { key, object } of all) {
    if (!created.has(key)) continue;
    for (const name of CLAIMS) {
      const value = memberAt(object.spec, name);
      if (value === undefined) continue;
      const claim = `${object.kind} ${name} ${textAt(value, 'name') ?? JSON.stringify(value)}`;
      // A name is of one namespace, and what it names may be of any account.
      const place = name === 'siteRef' ? ` in ${object.metadata.namespace ?? ''}` : '';
      claims.set(claim + place, [...(claims.get(claim + place) ?? []), textOf(key)]);
    }
  }
  for (const { metadata, spec, status } of objects.sims) {
    if (spec.gatewayRef === undefined || spec.ipAddress === undefined || status?.ip === spec.ipAddress) continue;
    const claim = `address ${metadata.namespace ?? ''} ${spec.gatewayRef.name} ${spec.ipAddress}`;
    claims.set(claim, [...(claims.get(claim) ?? []), textOf(keyOf('sims', metadata.namespace, metadata.name))]);
  }
  const rivals = [...claims.values()].filter((keys) => keys.length > 1).map(raceText);
  const leaving = all.flatMap(({ key, object }) => {
    const gateway = textAt(object.spec, 'gatewayRef', 'name');
    const named = gateway === undefined ? undefined : keyOf('mobilegateways', object.metadata.namespace, gateway);
    const isRace = named !== undefined && deleted.has(named) && changed.has(key);
    return isRace
      ? [`${textOf(named)} is deleted while ${textOf(key)}, which names it, changes: whichever is first has its way.`]
      : [];
  });
  const routes = all.flatMap(({ key, object }) => {
    const targets = memberAt(object.spec, 'simRoutes');
    const made = (Array.isArray(targets) ? targets : []).flatMap((route) => {
      const sim = keyOf('sims', object.metadata.namespace, textAt(route, 'simRef', 'name') ?? '');
      return created.has(sim) ? [textOf(sim)] : [];
    });
    if (made.length === 0) return [];
    return [
      `${textOf(key)} has routes to ${[...new Set(made)].join(' and ')}, made at the same time: its simRoutes may be sent more than once.`,
    ];
  });
  return [...rivals, ...leaving, ...routes];
}

/** Of two that are made at once, and turn out to be for the same thing, chance decides which has it. */
export function lostRace(
  { kind, namespace, name, reason, message }: Unsettled,
  created: ReadonlySet<string>,
): string[] {
  if (reason !== SimReason.AlreadyManaged) return [];
  const own = `${kind} ${namespace}/${name}`;
  const made = [...created].map(textOf);
  const rival = made.find((other) => other !== own && message.includes(`${other}.`));
  return made.includes(own) && rival !== undefined ? [raceText([rival, own])] : [];
}

function raceText(names: readonly string[]): string {
  return `${names.toSorted().join(' and ')} ask for the same at once: whichever is first gets it.`;
}

function textOf(key: string): string {
  const { plural, namespace, name } = parseKey(key);
  return `${plannedKindOf(plural).kind} ${namespace}/${name}`;
}
