import { secret } from '../../support/manifests.ts';
import type { World, WorldOptions } from '../../support/world.ts';
import { type Chapter, ICCID, type Mistake, object } from '../sim/mistake.ts';

const DEPOT = ['MobileGateway', 'depot'] as const;
const GATEWAY_ID = '113300000101';
const depot = { id: GATEWAY_ID, name: 'old depot', zone: 'is1b' } as const;
const existing: WorldOptions = { seed: { gateways: [depot] } };

/** A gateway with this part in its spec, and as little else as it needs. */
function gateway(part: string, name = 'depot'): Required<Pick<Mistake, 'wrote' | 'manifest'>> {
  return { wrote: part, manifest: object('MobileGateway', name, part, { zone: 'is1b' }) };
}

const adopt = `resourceID: "${GATEWAY_ID}"`;
const inner = 'privateInterface: {ipAddress: 10.0.0.1, networkMaskLength: 24}';
const invalid = (what: string) => ({ kubectl: `The MobileGateway "depot" is invalid: ${what}` });
const applied = (part: string) => (world: World) => world.apply(gateway(part).manifest);

const refused: readonly Mistake[] = [
  {
    title: 'Static routes without a private interface',
    ...gateway('staticRoutes: [{prefix: 192.168.10.0/24, nextHop: 10.0.0.254}]'),
    sees: invalid(
      'spec.staticRoutes: Invalid value: "object": staticRoutes needs privateInterface: the next hops are in that network',
    ),
    remedy: 'Name the gateway’s own address in privateInterface, or leave the routes out.',
  },
  {
    title: 'A next hop that is no address',
    ...gateway(`${inner}\nstaticRoutes: [{prefix: 192.168.10.0/24, nextHop: router}]`),
    sees: invalid(
      'spec.staticRoutes[0].nextHop: Invalid value: "string": staticRoutes nextHop must be an IPv4 address, for example 10.0.0.254',
    ),
    remedy: 'Write the IPv4 address of the router in the private network.',
  },
  {
    title: 'A prefix without its length',
    ...gateway(`${inner}\nstaticRoutes: [{prefix: 192.168.10.0, nextHop: 10.0.0.254}]`),
    sees: invalid(
      'spec.staticRoutes[0].prefix: Invalid value: "string": staticRoutes prefix must be an IPv4 network with its mask length, for example 192.168.10.0/24',
    ),
    remedy: 'Write the network as CIDR, with the length of its mask.',
  },
  {
    title: 'An address that is the network’s',
    ...gateway('privateInterface: {ipAddress: 10.0.0.0, networkMaskLength: 24}'),
    sees: invalid(
      'spec.privateInterface.ipAddress: Invalid value: "object": privateInterface.ipAddress must be a host\'s: the first address of a network stands for the network, and the last for all of its hosts',
    ),
    remedy: 'Write the gateway’s own address in the network, for example 10.0.0.1.',
  },
  {
    title: 'An address that no gateway can have',
    ...gateway('privateInterface: {ipAddress: 224.0.0.1, networkMaskLength: 24}'),
    sees: invalid(
      'spec.privateInterface.ipAddress: Invalid value: "string": privateInterface.ipAddress must be an address a host can have, for example 10.0.0.1: those that begin with 0, 127, or 224 and above mean something else',
    ),
    remedy: 'Write the gateway’s own address in the private network.',
  },
  {
    title: 'A next hop outside the private network',
    ...gateway(`${inner}\nstaticRoutes: [{prefix: 192.168.10.0/24, nextHop: 10.0.1.254}]`),
    sees: invalid(
      'spec.staticRoutes: Invalid value: "object": each nextHop of staticRoutes must be another host in the network of privateInterface, where the gateway itself is 10.0.0.1',
    ),
    remedy:
      'Write the address of a router in the private network. The gateway’s own address and the first and last of the network will not do.',
  },
  {
    title: 'A prefix that is an address',
    ...gateway(`${inner}\nstaticRoutes: [{prefix: 192.168.10.7/24, nextHop: 10.0.0.254}]`),
    sees: invalid(
      'spec.staticRoutes[0].prefix: Invalid value: "string": staticRoutes prefix must be the first address of the network with its mask length, for example 192.168.10.0/24: behind the mask there are zeros',
    ),
    remedy: 'Write the network: 192.168.10.0/24; for the one address 192.168.10.7/32.',
  },
  {
    title: 'A route to the private network',
    ...gateway(`${inner}\nsimRoutes: [{prefix: 10.0.0.0/24, simRef: {name: truck-17}}]`),
    sees: invalid(
      'spec.simRoutes: Invalid value: "object": simRoutes prefix must not be the network of privateInterface: the gateway is in that network itself. Remove the route',
    ),
    remedy: 'Remove the route; behind a SIM there is another network.',
  },
  {
    title: 'One network behind a router and behind a SIM',
    ...gateway(
      `${inner}\nstaticRoutes: [{prefix: 192.168.20.0/24, nextHop: 10.0.0.254}]\nsimRoutes: [{prefix: 192.168.20.0/24, simRef: {name: truck-17}}]`,
    ),
    sees: invalid(
      'spec.simRoutes: Invalid value: "object": simRoutes and staticRoutes have the same prefix: a network is reached one way. Remove one of the two routes',
    ),
    remedy: 'Keep the one that is meant.',
  },
  {
    title: 'A resolver that cannot answer',
    ...gateway('dns: {primary: 127.0.0.1, secondary: 8.8.4.4}'),
    sees: invalid(
      'spec.dns.primary: Invalid value: "string": dns.primary must be an address a host can have, for example 8.8.8.8: those that begin with 0, 127, or 224 and above mean something else',
    ),
    remedy: 'Write the address of a resolver that the SIMs reach.',
  },
  {
    title: 'A name with a line break',
    ...gateway('displayName: |\n  depot'),
    sees: invalid(
      'spec.displayName: Invalid value: "string": displayName must be one line without control characters. A block (|) ends with a line break: write it in quotes',
    ),
    remedy: 'Write the name on one line, without the |.',
  },
  {
    title: 'A resourceID that is none',
    ...gateway('resourceID: "depot (113300000101)"'),
    sees: invalid(
      'spec.resourceID: Invalid value: "string": resourceID must be an ID as the service shows it, for example "113300000017"',
    ),
    remedy: 'Write the ID alone.',
  },
  {
    title: 'Two routes to one network',
    ...gateway(
      'simRoutes: [{prefix: 192.168.20.0/24, simRef: {name: truck-17}}, {prefix: 192.168.20.0/24, simRef: {name: truck-18}}]',
    ),
    sees: invalid('spec.simRoutes[1]: Duplicate value: {"prefix":"192.168.20.0/24"}'),
    remedy: 'Keep the one that is meant.',
  },
  {
    title: 'A resolver that is no address',
    ...gateway('dns: {primary: dns.example.jp, secondary: 8.8.4.4}'),
    sees: invalid(
      'spec.dns.primary: Invalid value: "string": dns.primary must be an IPv4 address, for example 8.8.8.8',
    ),
    remedy: 'Write the IPv4 address of the resolver.',
  },
  {
    title: 'One resolver alone',
    ...gateway('dns: {primary: 8.8.8.8}'),
    sees: invalid(`
* spec.dns.secondary: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`),
    remedy: 'Name two; the service takes no fewer.',
  },
  {
    title: 'Traffic shaping without a bandwidth',
    ...gateway('trafficMonitoring: {quotaMB: 500, autoTrafficShaping: true}'),
    sees: invalid(
      'spec.trafficMonitoring: Invalid value: "object": trafficMonitoring.autoTrafficShaping needs bandwidthLimitKbps: the bandwidth that is left beyond the quota',
    ),
    remedy: 'Say in bandwidthLimitKbps what is left beyond the quota.',
  },
  {
    title: 'A zone that is none',
    ...gateway('zone: tokyo'),
    sees: invalid(
      'spec.zone: Invalid value: "string": zone must be a zone of the service in small letters, for example is1b',
    ),
    remedy: 'Write a zone of the service.',
  },
  {
    title: 'No zone',
    wrote: 'planID: 2',
    manifest: object('MobileGateway', 'depot', 'planID: 2', {}),
    sees: invalid(`
* spec.zone: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`),
    remedy: 'Name the zone the gateway is to live in.',
  },
];

const changed: readonly Mistake[] = [
  {
    title: 'Another zone',
    ...gateway('zone: tk1a'),
    before: applied(''),
    sees: invalid(
      'spec.zone: Forbidden: zone cannot be changed: a gateway lives where it was created. Create another one there',
    ),
    remedy: 'Create another gateway there, move the Sims by their gatewayRef, and delete this one.',
  },
  {
    title: 'Another plan',
    ...gateway('planID: 1'),
    before: applied('planID: 2'),
    sees: invalid(
      'spec.planID: Forbidden: planID cannot be changed: the service has no operation for it. Create another gateway, or leave planID out',
    ),
    remedy: 'Create another gateway with that plan, and move the Sims by their gatewayRef.',
  },
];

const notReady: readonly Mistake[] = [
  {
    title: 'A new gateway without a plan',
    ...gateway(''),
    wrote: '# neither planID nor resourceID',
    sees: {
      on: DEPOT,
      reason: 'PlanRequired',
      message: 'planID is needed to create a gateway (2 is the only known plan), or resourceID to take one over.',
    },
    remedy: 'Set planID to 2, or name in resourceID the gateway to take over.',
    mend: applied('planID: 2'),
    mended: [DEPOT],
  },
  {
    title: 'A zone the service does not know',
    ...gateway('zone: zz9z\nplanID: 2'),
    sees: {
      on: DEPOT,
      reason: 'Rejected',
      message:
        'The service has no zone zz9z. Delete this resource and create it in one of is1a, is1b, is1c, tk1a, tk1b, tk1v.',
    },
    remedy: 'Delete the resource and create it in a zone of the service.',
    mend: async (world) => {
      await world.delete(...DEPOT);
      await world.gone(...DEPOT);
      await world.apply(gateway('planID: 2').manifest);
    },
    mended: [DEPOT],
  },
  {
    title: 'A plan the service does not know',
    ...gateway('planID: 3'),
    sees: {
      on: DEPOT,
      reason: 'Rejected',
      message:
        'POST /appliance: the service answered 400 bad_request: Appliance.Plan.ID: write 2, the only plan there is (serial 00000000000004d2). Correct what the message names in spec.planID (which is to be taken out of the spec before another is put in); nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.',
    },
    remedy: 'Take planID out of the spec, and then put planID: 2 in.',
  },
  {
    title: 'A plan that is not the gateway’s',
    ...gateway(`planID: 1\n${adopt}`),
    world: existing,
    sees: {
      on: DEPOT,
      type: 'Synced',
      reason: 'PlanNotChangeable',
      message: `The gateway has plan 2 at the service, and plans can't be changed. Take planID out of the spec, or create another gateway.`,
    },
    remedy: 'Take planID out of the spec: that changes nothing at the service.',
    mend: (world) => world.apply(gateway(adopt).manifest),
    mended: [DEPOT],
  },
  {
    title: 'Another displayName for a gateway that exists',
    ...gateway(`displayName: new depot\n${adopt}`),
    world: existing,
    sees: {
      on: DEPOT,
      type: 'Synced',
      reason: 'DisplayNameNotChangeable',
      message: `The gateway is named "old depot" at the service, and the name of a gateway can't be changed from here. Set displayName to "old depot", or rename the gateway in the control panel.`,
    },
    remedy: 'The gateway works under its old name. Write that name, or rename the gateway in the control panel.',
    mend: (world) => world.apply(gateway(`displayName: old depot\n${adopt}`).manifest),
    mended: [DEPOT],
  },
  {
    title: 'A resourceID that does not exist',
    ...gateway('resourceID: "113300000999"'),
    world: existing,
    sees: {
      on: DEPOT,
      reason: 'ResourceIDNotFound',
      message:
        'Zone is1b of the account has no gateway with ID 113300000999. Create the resource again with the right zone and resourceID, or without resourceID to make a new gateway.',
    },
    remedy: 'Create the resource again with the right zone and ID.',
  },
  {
    title: 'The resourceID of a gateway in another zone',
    ...gateway(`zone: tk1a\n${adopt}`),
    world: existing,
    sees: {
      on: DEPOT,
      reason: 'ResourceIDNotFound',
      message:
        'Zone tk1a of the account has no gateway with ID 113300000101. Create the resource again with the right zone and resourceID, or without resourceID to make a new gateway.',
    },
    remedy: 'Create the resource again with the right zone.',
  },
  {
    title: 'Two MobileGateways with one resourceID',
    ...gateway(adopt, 'depot-2'),
    wrote: `# MobileGateway depot-2, while depot has the same:\n${adopt}`,
    world: existing,
    before: async (world) => {
      await world.apply(gateway(adopt).manifest);
      await world.ready(...DEPOT);
    },
    sees: {
      on: ['MobileGateway', 'depot-2'],
      reason: 'AlreadyManaged',
      message:
        'The gateway 113300000101 is already managed by the MobileGateway fleet/depot. Delete this one. To keep this one instead, set deletionPolicy: Orphan on fleet/depot before you delete it: without that the gateway may be deleted at the service with it.',
    },
    remedy: 'Delete it; or set `deletionPolicy: Orphan` on the other before you delete that, and this one takes over.',
    mend: async (world) => {
      await world.patch(...DEPOT, { spec: { deletionPolicy: 'Orphan' } });
      await world.delete(...DEPOT);
    },
    mended: [['MobileGateway', 'depot-2']],
  },
  {
    title: 'Adoption required without a resourceID',
    ...gateway('adoption: Required'),
    world: existing,
    sees: {
      on: DEPOT,
      reason: 'ResourceIDRequired',
      message: 'adoption: Required needs resourceID: gateways are found by their ID only.',
    },
    remedy: 'Name the gateway in resourceID.',
    mend: applied(`adoption: Required\n${adopt}`),
    mended: [DEPOT],
  },
  {
    title: 'A gateway to observe without a resourceID',
    ...gateway('managementPolicy: Observe'),
    world: existing,
    sees: {
      on: DEPOT,
      reason: 'NothingToObserve',
      message: 'managementPolicy Observe creates nothing: name the gateway to observe in resourceID.',
    },
    remedy: 'Name the gateway in resourceID.',
    mend: applied(adopt),
    mended: [DEPOT],
  },
  {
    title: 'A chat webhook whose Secret does not exist',
    ...gateway(`${adopt}\ntrafficMonitoring: {quotaMB: 500, chatWebhookSecretRef: {name: chat, key: url}}`),
    world: existing,
    sees: {
      on: DEPOT,
      reason: 'ChatWebhookSecretMissing',
      message: `trafficMonitoring.chatWebhookSecretRef names the key "url" of Secret chat in namespace fleet, which does not exist or is empty. Put the webhook's URL there.`,
    },
    remedy: 'Create it with the webhook’s URL; the gateway continues on its own.',
    mend: (world) => world.apply(secret('chat', { url: 'https://chat.example/hook' })),
    mended: [DEPOT],
  },
  {
    title: 'A chat webhook that is no URL',
    ...gateway(`${adopt}\ntrafficMonitoring: {quotaMB: 500, chatWebhookSecretRef: {name: chat, key: url}}`),
    wrote: '# Secret chat, key url\nchat.example/hook',
    world: existing,
    before: (world) => world.apply(secret('chat', { url: 'chat.example/hook' })),
    sees: {
      on: DEPOT,
      reason: 'Rejected',
      message:
        'PUT /appliance/113300000101/mobilegateway/traffic_monitoring: the service answered 400 bad_request: traffic_monitoring_config.chat_config.chat_url: write the URL to notify (serial 00000000000004d2). Correct what the message names in spec.trafficMonitoring.quotaMB or the Secret that spec.trafficMonitoring.chatWebhookSecretRef names; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.',
    },
    remedy: 'Correct the Secret; the gateway continues on its own.',
    mend: (world) => world.patch('Secret', 'chat', { stringData: { url: 'https://chat.example/hook' } }),
    mended: [DEPOT],
  },
  {
    title: 'A route behind a Sim that does not exist',
    ...gateway(`${adopt}\nsimRoutes: [{prefix: 192.168.20.0/24, simRef: {name: truck-17}}]`),
    world: { seed: { gateways: [depot], sims: [{ id: '113300000017', iccid: ICCID, name: 'old truck' }] } },
    sees: {
      on: DEPOT,
      reason: 'RouteWaitsForSim',
      message:
        'The route to 192.168.20.0/24 waits for the Sim truck-17, and this namespace has none of that name: create it, or correct simRef.',
    },
    remedy: 'Create the Sim, with the gatewayRef of this gateway; the route follows automatically.',
    mend: (world) => world.apply(object('Sim', 'truck-17', 'gatewayRef: {name: depot}', { iccid: `"${ICCID}"` })),
    mended: [DEPOT],
  },
];

/** Every mistake a MobileGateway's manifest can hold. */
export const mobileGatewayChapters: readonly Chapter[] = [
  {
    title: 'A MobileGateway that kubectl refuses',
    about: 'Correct the manifest and apply it again; nothing was stored.',
    mistakes: refused,
  },
  {
    title: 'A change of a MobileGateway that kubectl refuses',
    about: 'The gateway stays as it was.',
    mistakes: changed,
  },
  {
    title: 'A MobileGateway that is not Ready',
    about: 'The resource is stored, and says what it waits for.',
    mistakes: notReady,
  },
];
