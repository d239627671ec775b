import { isDeepStrictEqual } from 'node:util';
import { mending } from '../../reconcile/change.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { GatewayFacts, ResolvedRoute, WaitingRoute } from './facts.ts';
import { GatewayReason } from './reasons.ts';
import type { GatewayPart } from './steps.ts';

/**
 * Routes to networks behind SIMs. A route whose Sim is not registered yet waits, and does not disturb the others. What
 * the gateway has for its prefix stays only where it may lead to that very Sim: a route that left the spec goes at once.
 */
export function planSimRoutes(facts: GatewayFacts): GatewayPart<'simRoutes'> {
  const { spec, simRoutes } = facts.desired;
  const observed = facts.details.simRoutes ?? [];
  if (!spec.simRoutes) {
    if (!wasApplied(facts, 'simRoutes') || observed.length === 0) return {};
    return change([], observed, {});
  }
  const { resolved, waiting } = simRoutes;
  const kept = observed.filter(({ prefix, resourceID }) => {
    const wanted = waiting.find((route) => route.prefix === prefix);
    const sim = facts.details.sims?.find(({ id }) => id === resourceID);
    if (!wanted) return false;
    // With a SIM the service removes its routes: one whose route is there was only left out of the list.
    if (!sim) return wanted.simID === resourceID;
    return wanted.iccid === undefined || sim.iccid === undefined || sim.iccid === wanted.iccid;
  });
  const routes = [...resolved, ...kept];
  // What a person has to do is said before what comes by itself.
  const first = waiting.find(isLeftToAPerson) ?? waiting[0];
  const hold: GatewayPart<'simRoutes'> = first
    ? {
        hold: {
          state: 'Waiting',
          ...(!isLeftToAPerson(first) && { isProgress: true }),
          reason: GatewayReason.RouteWaitsForSim,
          message: `${whyWaits(first)}${moreWait(waiting.length - 1)}.`,
        },
      }
    : {};
  const applied = { simRoutes: routes };
  if (isSameRoutes(routes, observed)) return { applied, ...hold };
  return { ...change(routes, observed, { applied }), ...hold };
}

/** Whether no registration that is under way ends the wait: there is no such Sim, or it is meant for another gateway. */
function isLeftToAPerson({ iccid, isMeantElsewhere }: WaitingRoute): boolean {
  return iccid === undefined || isMeantElsewhere === true;
}

function whyWaits({ prefix, sim, iccid, isMeantElsewhere }: WaitingRoute): string {
  if (iccid === undefined)
    return `The route to ${prefix} waits for the Sim ${sim}, and this namespace has none of that name: create it, or correct simRef`;
  const elsewhere = isMeantElsewhere ? ', which its gatewayRef does not name' : '';
  return `The route to ${prefix} waits until the Sim ${sim} is registered with this gateway${elsewhere}`;
}

function moreWait(count: number): string {
  if (count <= 0) return '';
  return count === 1 ? '; 1 more route waits' : `; ${count} more routes wait`;
}

function change(
  routes: readonly ResolvedRoute[],
  observed: readonly ResolvedRoute[],
  rest: GatewayPart<'simRoutes'>,
): GatewayPart<'simRoutes'> {
  const drift = [{ field: 'simRoutes', desired: showRoutes(routes), observed: showRoutes(observed) }];
  return {
    steps: [{ do: 'setSimRoutes', routes, fields: ['simRoutes'], changes: mending(drift) }],
    drift,
    ...rest,
  };
}

/** Whether both lead to the same: their order means nothing. */
export function isSameRoutes(a: readonly ResolvedRoute[], b: readonly ResolvedRoute[]): boolean {
  return isDeepStrictEqual(sorted(a), sorted(b));
}

function sorted(routes: readonly ResolvedRoute[]): ResolvedRoute[] {
  return routes
    .map(({ prefix, resourceID }) => ({ prefix, resourceID }))
    .sort((a, b) => a.prefix.localeCompare(b.prefix) || a.resourceID.localeCompare(b.resourceID));
}

/** Routes as short text. */
export function showRoutes(routes: readonly ResolvedRoute[]): string {
  return routes.length === 0 ? 'none' : routes.map((route) => `${route.prefix} behind ${route.resourceID}`).join(', ');
}
