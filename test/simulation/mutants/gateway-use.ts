import type { Mutant } from './mutant.ts';

/** Faults in what Sims and their gateways have to do with one another. */
export const gatewayUseMutants: readonly Mutant[] = [
  {
    name: 'sim-registers-on-leaving-gateway',
    file: 'src/operator/gateways.ts',
    from: `if (gateway.metadata.deletionTimestamp) {
    return waiting(`,
    to: `if (gateway.metadata.deletionTimestamp === '') {
    return waiting(`,
    what: 'SIMs go on being registered with a gateway that is being deleted, which waits for them for ever.',
  },
  {
    name: 'sim-gateway-config-not-waited-for',
    file: 'src/operator/gateways.ts',
    from: 'const isReady = isAvailable && (!configPending || hasItsNetwork(lookup, gateway));',
    to: 'const isReady = isAvailable;',
    what: 'SIMs are registered with a gateway whose settings have not taken effect.',
  },
  {
    name: 'gateway-arrival-not-waited-for',
    file: 'src/kinds/mobile-gateway/plan.ts',
    from: 'if (arrival) return only(facts, arrival);',
    to: '',
    what: 'Settings are sent to a gateway that the service still prepares, and a failed one is never told of.',
  },
  {
    name: 'gateway-deletion-ignores-its-sims',
    file: 'src/kinds/mobile-gateway/plan.ts',
    from: 'if (desired.namedBy.length > 0) return only(facts, holdForSims(desired.namedBy));',
    to: '',
    what: 'The deletion of a gateway takes SIMs off it whose Sims still ask for it.',
  },
  {
    name: 'gateway-deletion-keeps-sim-routes',
    file: 'src/kinds/mobile-gateway/plan.ts',
    from: "steps.push({ do: 'setSimRoutes', routes: [], fields: ['simRoutes'], changes });",
    to: '',
    what: 'A gateway is deleted, and its SIMs are taken off it, while it still has routes to them.',
  },
  {
    name: 'gateway-deletion-keeps-addresses',
    file: 'src/kinds/mobile-gateway/plan.ts',
    from: "steps.push({ do: 'clearIP', simID: sim.id, changes: [changeOf('sims.ipAddress', sim.ip, undefined)] });",
    to: '',
    what: 'A gateway that is to release its SIMs can not be deleted: the service refuses to unregister one with an address.',
  },
  {
    name: 'sim-deletion-leaves-it-registered',
    file: 'src/kinds/sim/plan.ts',
    from: 'const steps: SimStep[] = [...leaving.steps];',
    to: 'const steps: SimStep[] = [];',
    what: 'A SIM on a gateway can not be deleted: the service refuses.',
  },
  {
    name: 'gateway-of-another-is-a-candidate',
    file: 'src/kinds/mobile-gateway/find.ts',
    from: '[...items.values()].filter((gateway) => gateway.name === name && !search.claimed.has(gateway.id));',
    to: '[...items.values()].filter((gateway) => gateway.name === name);',
    what: 'Of two gateways with one name neither is taken, though one of them has its resource.',
  },
  {
    name: 'gateway-routes-before-their-interface',
    file: 'src/kinds/mobile-gateway/settings.ts',
    from: "steps: [...before, send({ ...next, staticRoutes: [] }, others, ['staticRoutes']), interimConfig],",
    to: "steps: [...before, send({ ...next, staticRoutes: [] }, others, ['staticRoutes'])],",
    what: 'Static routes are sent before the interface that they lead through has taken effect.',
  },
  {
    name: 'gateway-pending-interface-built-on',
    file: 'src/kinds/mobile-gateway/settings.ts',
    from: 'const before = facts.marks.configPending && needsInterface ? [interimConfig] : [];',
    to: 'const before: GatewayStep[] = needsInterface ? [] : [];',
    what: 'After a crash static routes are sent into an interface that never took effect.',
  },
  {
    name: 'sim-old-reconnect-carried-out',
    file: 'src/kinds/sim/plan.ts',
    from: "return { steps: [{ do: 'noteReconnect', at, changes: [], silent: true, marks: { lastHandledReconnectAt: at } }] };",
    to: 'return {};',
    what: 'A manifest from a backup cuts the session of a SIM that is in use.',
  },
];
