import { GatewayReason } from '../kinds/mobile-gateway/reasons.ts';
import type { MobileGateway } from '../kinds/mobile-gateway/schema.ts';
import { SimReason } from '../kinds/sim/reasons.ts';
import type { Sim } from '../kinds/sim/schema.ts';
import { managedIn } from './accounts.ts';
import { keyOf, memberAt, type Objects, parseKey, plannedKindOf, textAt } from './objects.ts';
import type { Unsettled } from './result.ts';

/** What stands for one thing of the service that only one resource can have. */
const CLAIMS = ['iccid', 'domain', 'siteID', 'siteRef', 'resourceID'] as const;

/** One thing that only one can have: who asks for it, and what decides, as it moves, when they may. */
interface Claim {
  readonly asking: readonly string[];
  readonly bearing: readonly string[];
}

/** Reasons for which a Sim never comes to ask for its address, whatever other Sims do. */
const NEVER_ASKS: ReadonlySet<string> = new Set([
  SimReason.GatewayNotFound,
  SimReason.GatewayNotReady,
  SimReason.GatewayInOtherAccount,
  SimReason.PassCodeRequired,
]);

/** What a gateway says that is sent its routes, as far as they can be: it is in sync, or waits for SIMs. */
const ROUTES_ARE_SENT: ReadonlySet<string> = new Set(['', GatewayReason.RouteWaitsForSim]);

/**
 * What no plan can tell, a sentence each: where manifests ask for two things at once that bear on each other, chance decides
 * which is first. `reasonAfter`: what a resource (`keyOf`) says in the end, as far as it is not in sync; `leaves`: the IDs of the
 * gateways that a Sim is taken off. Pure.
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
  reasonAfter: (key: string) => string | undefined,
  leaves: (key: string) => ReadonlySet<string>,
): string[] {
  const all = managedIn(objects);
  const moved = new Set([...created, ...changed].map(textOf));
  const claims = new Map<string, Claim>();
  const claim = (what: string, who: Claim) => {
    const { asking, bearing } = claims.get(what) ?? { asking: [], bearing: [] };
    claims.set(what, { asking: [...asking, ...who.asking], bearing: [...bearing, ...who.bearing] });
  };
  for (const { key, object } of all) {
    // Whoever has it keeps it. Of those that have it not, the operator decides anew each time that it starts.
    const has = !created.has(key) && textAt(object, 'status', 'id') !== undefined;
    for (const name of CLAIMS) {
      const value = memberAt(object.spec, name);
      if (value === undefined) continue;
      // A name is of one namespace, and what it names may be of any account.
      const place = name === 'siteRef' ? ` in ${object.metadata.namespace ?? ''}` : '';
      const what = `${object.kind} ${name} ${textAt(value, 'name') ?? JSON.stringify(value)}${place}`;
      claim(what, { asking: has ? [] : [textOf(key)], bearing: [textOf(key)] });
    }
  }
  for (const sim of objects.sims) {
    const { metadata, spec, status } = sim;
    const key = keyOf('sims', metadata.namespace, metadata.name);
    const at = objects.gateways.find((one) => isOn(sim, one));
    if (at && status?.ip !== undefined)
      claim(addressOf(at.metadata, status.ip), { asking: [], bearing: [textOf(key)] });
    const isOut = deleted.has(key) || NEVER_ASKS.has(reasonAfter(key) ?? '');
    if (spec.gatewayRef === undefined || spec.ipAddress === undefined) continue;
    const gateway = { namespace: metadata.namespace, name: spec.gatewayRef.name };
    claim(addressOf(gateway, spec.ipAddress), {
      asking: isOut || status?.ip === spec.ipAddress ? [] : [textOf(key)],
      bearing: [textOf(key), textOf(keyOf('mobilegateways', gateway.namespace, gateway.name))],
    });
  }
  const rivals = [...claims.values()]
    .filter(({ asking, bearing }) => asking.length > 1 && bearing.some((name) => moved.has(name)))
    .map(({ asking }) => raceText(asking));
  const leaving = objects.sims.flatMap((sim) => {
    const key = keyOf('sims', sim.metadata.namespace, sim.metadata.name);
    const gateway = objects.gateways.find((one) => isNamedBy(one, sim));
    const named = gateway && keyOf('mobilegateways', gateway.metadata.namespace, gateway.metadata.name);
    // A gateway waits for a Sim that is on it and names it, and gives out no other address while it waits.
    const isAtHome = isOn(sim, gateway) && sim.spec.ipAddress === sim.status?.applied?.ipAddress;
    const isRace = named !== undefined && deleted.has(named) && changed.has(key) && !isAtHome;
    return isRace ? [leavingText(named, key)] : [];
  });
  // A site is gone as soon as it is deleted, and what was applied before that may have been carried out.
  const bare = objects.certificates.flatMap(({ metadata: { namespace, name }, spec }) => {
    const key = keyOf('sitecertificates', namespace, name);
    const site = spec.siteRef && keyOf('webaccelsites', namespace, spec.siteRef.name);
    const isRace = site !== undefined && deleted.has(site) && (created.has(key) || changed.has(key));
    return isRace ? [leavingText(site, key)] : [];
  });
  const acting = objects.gateways.filter(({ metadata }) =>
    ROUTES_ARE_SENT.has(reasonAfter(keyOf('mobilegateways', metadata.namespace, metadata.name)) ?? ''),
  );
  const routes = acting.flatMap((gateway) => inParts(gateway, objects.sims, { changed, deleted }, leaves));
  return [...rivals, ...leaving, ...bare, ...routes];
}

/** An address of a gateway, as a thing that is claimed. */
function addressOf(gateway: { readonly namespace?: string | undefined; readonly name: string }, ip: string): string {
  return `address ${gateway.namespace ?? ''} ${gateway.name} ${ip}`;
}

/**
 * Routes to SIMs that come to a gateway or leave it are sent at once or one after the other, or not at all where they went with
 * a SIM, as it happens to look; where only one thing happens, there is nothing to come apart.
 */
function inParts(
  gateway: MobileGateway,
  sims: readonly Sim[],
  { changed, deleted }: { readonly changed: ReadonlySet<string>; readonly deleted: ReadonlySet<string> },
  leaves: (key: string) => ReadonlySet<string>,
): string[] {
  const { metadata, spec, status } = gateway;
  const key = keyOf('mobilegateways', metadata.namespace, metadata.name);
  const isRouted = spec.simRoutes !== undefined || status?.applied?.simRoutes !== undefined;
  if (!isRouted || deleted.has(key)) return [];
  const coming = new Set<string>();
  const going = new Set<string>();
  const here: string[] = [];
  const observed = status?.simRoutes ?? [];
  for (const sim of sims) {
    const prefixes = (spec.simRoutes ?? []).filter(
      ({ simRef }) => simRef.name === sim.metadata.name && sim.metadata.namespace === metadata.namespace,
    );
    const hasRoute = observed.some(({ resourceID }) => resourceID === sim.status?.id);
    if (prefixes.length === 0 && !hasRoute) continue;
    const simKey = keyOf('sims', sim.metadata.namespace, sim.metadata.name);
    const stays = isNamedBy(gateway, sim) && !deleted.has(simKey);
    // Of one that is taken over the service knows where it is, and the status does not.
    const isThere = isOn(sim, gateway) || leaves(simKey).has(status?.id ?? '');
    if (isThere) here.push(...prefixes.map(({ prefix }) => `${prefix} ${sim.status?.id}`));
    if ((isThere && !stays) || deleted.has(simKey)) going.add(textOf(simKey));
    if (!isThere && stays && (changed.has(simKey) || changed.has(key))) coming.add(textOf(simKey));
  }
  const has = observed.map(({ prefix, resourceID }) => `${prefix} ${resourceID}`);
  const isOther = here.toSorted().join() !== has.toSorted().join();
  const writes = coming.size + Number(isOther);
  if (writes === 0 || writes + going.size === 1) return [];
  const names = [...coming, ...going].toSorted().join(' and ');
  return [
    `${textOf(key)} has routes to ${names}, which come or leave at the same time: its simRoutes may be sent more than once, or not at all.`,
  ];
}

function isNamedBy({ metadata }: MobileGateway, sim: Sim): boolean {
  return sim.spec.gatewayRef?.name === metadata.name && sim.metadata.namespace === metadata.namespace;
}

function isOn({ status }: Sim, gateway: MobileGateway | undefined): boolean {
  return status?.registered === true && status.gatewayID !== undefined && status.gatewayID === gateway?.status?.id;
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

function leavingText(named: string, key: string): string {
  return `${textOf(named)} is deleted while ${textOf(key)}, which names it, changes: whichever is first has its way.`;
}

function textOf(key: string): string {
  const { plural, namespace, name } = parseKey(key);
  return `${plannedKindOf(plural).kind} ${namespace}/${name}`;
}
