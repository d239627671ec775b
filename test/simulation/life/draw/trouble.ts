import { faultsOf } from '../../../../src/shadow/service/faults.ts';
import type { Random } from '../../../../src/shadow/world/random.ts';
import type { MessageFault, Occasion } from '../script.ts';
import { type Draft, put } from './draft.ts';
import { removeField } from './users.ts';

/** What the operator asks of the service, by the router's names: each is met by each fault that makes sense for it. */
export const serviceRoutes: readonly string[] = [
  'GET /commonserviceitem',
  'GET /commonserviceitem/:id',
  'POST /commonserviceitem',
  'PUT /commonserviceitem/:id',
  'DELETE /commonserviceitem/:id',
  'GET /commonserviceitem/:id/sim/status',
  'PUT /commonserviceitem/:id/sim/activate',
  'PUT /commonserviceitem/:id/sim/deactivate',
  'PUT /commonserviceitem/:id/sim/reconnect',
  'GET /commonserviceitem/:id/sim/network_operator_config',
  'PUT /commonserviceitem/:id/sim/network_operator_config',
  'PUT /commonserviceitem/:id/sim/ip',
  'DELETE /commonserviceitem/:id/sim/ip',
  'PUT /commonserviceitem/:id/sim/imeilock',
  'DELETE /commonserviceitem/:id/sim/imeilock',
  'GET /appliance',
  'GET /appliance/:id',
  'POST /appliance',
  'PUT /appliance/:id',
  'PUT /appliance/:id/config',
  'PUT /appliance/:id/power',
  'DELETE /appliance/:id/power',
  'DELETE /appliance/:id',
  'GET /appliance/:id/mobilegateway/dnsresolver',
  'PUT /appliance/:id/mobilegateway/dnsresolver',
  'GET /appliance/:id/mobilegateway/simroutes',
  'PUT /appliance/:id/mobilegateway/simroutes',
  'GET /appliance/:id/mobilegateway/traffic_monitoring',
  'PUT /appliance/:id/mobilegateway/traffic_monitoring',
  'DELETE /appliance/:id/mobilegateway/traffic_monitoring',
  'GET /appliance/:id/mobilegateway/traffic_status',
  'GET /appliance/:id/mobilegateway/sims',
  'POST /appliance/:id/mobilegateway/sims',
  'DELETE /appliance/:id/mobilegateway/sims/:id',
  'GET webaccel/site',
  'GET webaccel/site/:id',
  'PUT webaccel/site/:id',
  'GET webaccel/site/:id/acl',
  'PUT webaccel/site/:id/acl',
  'DELETE webaccel/site/:id/acl',
  'GET webaccel/site/:id/certificate',
  'POST webaccel/site/:id/certificate',
  'PUT webaccel/site/:id/certificate',
  'GET webaccel/monthlyusage',
];

/** What the operator asks of the cluster. */
export const kubernetesRoutes: readonly string[] = [
  ...['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates', 'cloudaccounts', 'secrets'].flatMap((plural) => [
    `list ${plural}`,
    `watch ${plural}`,
  ]),
  ...['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates'].flatMap((plural) => [
    `patch ${plural}`,
    `patch ${plural}/status`,
    `get ${plural}`,
  ]),
  'patch cloudaccounts/status',
  'get secrets',
  'get leases',
  'create leases',
  'update leases',
  'create events',
  'patch events',
];

export const networkFaults = [
  'refused',
  'lost-request',
  'lost-answer',
  'stall',
  'slow',
  'doubled',
  'delayed-arrival',
] as const;
export const refusals = [403, 409, 410, 429, 500, 503, 504] as const;

/** Something that goes wrong between the operator and the others, or in the operator itself. */
export const troubles: readonly { readonly weight: number; readonly draw: (draft: Draft) => void }[] = [
  { weight: 14, draw: serviceFault },
  { weight: 6, draw: serviceNetwork },
  { weight: 2, draw: serviceOutage },
  { weight: 6, draw: kubernetesFault },
  { weight: 1, draw: kubernetesOutage },
  { weight: 2, draw: watches },
  { weight: 1, draw: deny },
  { weight: 5, draw: killOn },
  { weight: 2, draw: kill },
  { weight: 2, draw: suspend },
  { weight: 1, draw: clock },
  { weight: 1, draw: credentials },
];

/** Until the trouble ends: what lies in wait for one operation has to wait for it. */
const LASTS = 3_600_000;

function fault(
  draft: Draft,
  to: 'kubernetes' | 'service',
  route: string | undefined,
  what: MessageFault,
  count = draft.random.pick([1, 1, 1, 2, 4]),
  lasts = LASTS,
): void {
  const { random } = draft;
  put(draft, {
    what: 'fault',
    to,
    route,
    fault: what,
    count,
    skip: random.pick([0, 0, 0, 1, 2]),
    milliseconds: 1000 + random.int(25_000),
    lasts,
  });
}

/** Routes that make or change something are the more interesting ones. */
function anyRoute(random: Random): string {
  const writes = serviceRoutes.filter((route) => !route.startsWith('GET '));
  return random.pick(random.chance(0.6) ? writes : serviceRoutes);
}

function serviceFault(draft: Draft): void {
  const route = anyRoute(draft.random);
  fault(draft, 'service', route, { service: draft.random.pick(faultsOf(route)) });
}

function serviceNetwork(draft: Draft): void {
  fault(draft, 'service', anyRoute(draft.random), draft.random.pick(networkFaults));
}

function serviceOutage(draft: Draft): void {
  const what: MessageFault = draft.random.pick([
    'refused',
    'stall',
    { service: 'unavailable' },
    { service: 'internal error' },
    { service: 'too many requests, retry later' },
  ] as const);
  fault(draft, 'service', undefined, what, 10_000, 3000 + draft.random.int(90_000));
}

function kubernetesFault(draft: Draft): void {
  const { random } = draft;
  const what = random.chance(0.5) ? random.pick(networkFaults) : { kubernetes: random.pick(refusals) };
  fault(draft, 'kubernetes', random.pick(kubernetesRoutes), what);
}

function kubernetesOutage(draft: Draft): void {
  fault(draft, 'kubernetes', undefined, 'refused', 10_000, 2000 + draft.random.int(40_000));
}

function process({ random, drawn }: Draft): number {
  return random.int(drawn.setting.replicas);
}

function watches(draft: Draft): void {
  const { random } = draft;
  const which = random.int(4);
  if (which === 0) put(draft, { what: 'cut watches', process: process(draft) });
  if (which === 1)
    put(draft, { what: 'freeze watches', process: process(draft), milliseconds: 5000 + random.int(60_000) });
  if (which === 2) put(draft, { what: 'end watches' });
  if (which < 3) return;
  put(draft, { what: 'compact' });
  put(draft, { what: 'cut watches', process: process(draft) }, 1);
}

/** What the operator has permissions for. */
export const permitted = [
  'sims',
  'mobilegateways',
  'webaccelsites',
  'sitecertificates',
  'cloudaccounts',
  'clustercloudaccounts',
  'namespaces',
  'secrets',
  'leases',
  'events',
] as const;

function deny(draft: Draft): void {
  const { random } = draft;
  const verb = random.pick(['get', 'list', 'watch', 'patch', 'create', 'update']);
  put(draft, { what: 'deny', verb, resource: random.pick(permitted), lasts: 5000 + random.int(60_000) });
}

/** Permissions are taken for a while, be it before a process starts. Of numbers of their own, so that all else is drawn as without. */
export function drawDenials(draft: Draft, random: Random, share: number): void {
  if (!random.chance(share)) return;
  const mine: Draft = { ...draft, random, at: 0 };
  const times = 1 + random.int(4);
  for (let count = 0; count < times; count++) {
    mine.at = random.chance(0.2) ? 0 : Math.round(random.next() * 0.9 * draft.drawn.setting.trouble);
    deny(mine);
    // Who starts lists everything anew, and who is cut off watches anew.
    const more = random.pick(['start', 'start', 'watch', 'nothing']);
    if (more === 'start') kill(mine);
    if (more === 'watch') put(mine, { what: 'cut watches', process: process(mine) }, 1);
  }
}

function restart(random: Random): number {
  return random.pick([500, 5000, 20_000]);
}

function killOn(draft: Draft): void {
  const { random } = draft;
  const to = random.chance(0.75) ? ('service' as const) : ('kubernetes' as const);
  const routes = to === 'service' ? anyRoute(random) : random.pick(kubernetesRoutes);
  put(draft, {
    what: 'kill',
    process: process(draft),
    on: {
      moment: random.pick(['begun', 'written', 'arrived', 'answered']),
      to,
      route: random.chance(0.8) ? routes : undefined,
      nth: 1 + random.int(3),
    },
    restart: restart(random),
  });
  // What was about to be written leaves the spec while nobody is there.
  if (random.chance(0.4)) removeField(draft);
}

function kill(draft: Draft): void {
  const { random } = draft;
  const what = random.chance(0.5) ? ('stop' as const) : ('kill' as const);
  if (what === 'stop') put(draft, { what, process: process(draft), restart: restart(random) });
  else put(draft, { what, process: process(draft), on: undefined, restart: restart(random) });
}

function suspend(draft: Draft): void {
  const { random } = draft;
  const on: Occasion = {
    moment: random.pick(['begun', 'answered']),
    to: 'service',
    route: undefined,
    nth: 1 + random.int(5),
  };
  put(draft, {
    what: 'suspend',
    process: process(draft),
    on: random.chance(0.5) ? on : undefined,
    milliseconds: 1000 + random.int(60_000),
  });
}

function clock(draft: Draft): void {
  const milliseconds = draft.random.pick([-3_600_000, -60_000, -5000, 5000, 60_000, 3_600_000]);
  put(draft, { what: 'step clock', process: process(draft), milliseconds });
}

/** A token is not accepted for a while. */
function credentials(draft: Draft): void {
  const { name } = draft.random.pick(draft.drawn.setting.credentials);
  put(draft, { what: 'accept', credentials: name, isAccepted: false });
  put(draft, { what: 'accept', credentials: name, isAccepted: true }, 2000 + draft.random.int(60_000));
}
