import type { GatewayView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation, Version } from '../intent.ts';
import { at, listAt, same, sorted, textAt } from '../json.ts';
import type { Scene } from '../scene.ts';
import { idsOf } from './claim.ts';
import type { FieldReading } from './sim.ts';

type Settings = NonNullable<GatewayView['pending']>;

const unset: Settings = {
  internetConnection: null,
  interDeviceCommunication: null,
  privateInterface: null,
  staticRoutes: [],
};

/** The settings as last sent, whether or not they are in effect yet. */
const sent = ({ pending }: GatewayView): Settings => pending ?? unset;

/** A MobileGateway's fields, as docs/reference/fields.md describes them. */
export const gatewayReadings: readonly FieldReading<GatewayView>[] = [
  {
    field: 'internetConnection',
    applied: ['internetConnection'],
    part: (view) => sent(view).internetConnection ?? false,
    holds: (_, __, { spec }, view) => (sent(view).internetConnection ?? false) === spec['internetConnection'],
    isUnset: (view) => !sent(view).internetConnection,
  },
  {
    field: 'interDeviceCommunication',
    applied: ['interDeviceCommunication'],
    part: (view) => sent(view).interDeviceCommunication ?? false,
    holds: (_, __, { spec }, view) =>
      (sent(view).interDeviceCommunication ?? false) === spec['interDeviceCommunication'],
    isUnset: (view) => !sent(view).interDeviceCommunication,
  },
  {
    field: 'privateInterface',
    applied: ['privateInterface'],
    part: (view) => sent(view).privateInterface,
    holds: (_, __, { spec }, view) => same(sent(view).privateInterface, spec['privateInterface']),
    isUnset: (view) => sent(view).privateInterface === null,
  },
  {
    field: 'staticRoutes',
    applied: ['staticRoutes'],
    part: (view) => sorted(sent(view).staticRoutes),
    holds: (_, __, { spec }, view) => same(sorted(sent(view).staticRoutes), sorted(listAt(spec, 'staticRoutes'))),
    isUnset: (view) => sent(view).staticRoutes.length === 0,
  },
  {
    field: 'dns',
    applied: ['dns'],
    part: ({ dns }) => dns,
    holds: (_, __, { spec }, { dns }) => same(dns, spec['dns']),
    // The service offers no way to remove them.
    isUnset: () => false,
  },
  {
    field: 'simRoutes',
    applied: ['simRoutes'],
    part: ({ simRoutes }) => sorted(simRoutes),
    holds: (scene, incarnation, version, { simRoutes }, since) =>
      simRoutes.length === listAt(version.spec, 'simRoutes').length &&
      simRoutes.every((route) => asksForRoute(scene, incarnation, version, route, since)),
    isUnset: ({ simRoutes }) => simRoutes.length === 0,
  },
  {
    field: 'trafficMonitoring',
    applied: ['trafficMonitoring'],
    part: ({ trafficMonitoring }) => trafficMonitoring,
    holds: (scene, { namespace }, { spec }, { trafficMonitoring }, since) =>
      trafficMonitoring !== null &&
      same(trafficMonitoring.quotaMB, at(spec, 'trafficMonitoring', 'quotaMB')) &&
      trafficMonitoring.autoTrafficShaping === (at(spec, 'trafficMonitoring', 'autoTrafficShaping') ?? false) &&
      (trafficMonitoring.bandwidthLimitKbps ?? undefined) === at(spec, 'trafficMonitoring', 'bandwidthLimitKbps') &&
      trafficMonitoring.email === (at(spec, 'trafficMonitoring', 'email') ?? false) &&
      isChat(scene, namespace, spec, trafficMonitoring, since),
    isUnset: ({ trafficMonitoring }) => trafficMonitoring === null,
  },
];

/** Whether a version has this route: a prefix behind a Sim that has this ID. */
export function asksForRoute(
  scene: Scene,
  { namespace }: Incarnation,
  { spec }: Version,
  route: { readonly prefix: string; readonly simID: string },
  since: number,
): boolean {
  return listAt(spec, 'simRoutes').some(
    (wanted) =>
      textAt(wanted, 'prefix') === route.prefix &&
      idsOf(scene, 'sims', namespace, textAt(wanted, 'simRef', 'name') ?? '', since).has(route.simID),
  );
}

function isChat(
  scene: Scene,
  namespace: string,
  spec: Version['spec'],
  { chat, chatURL }: NonNullable<GatewayView['trafficMonitoring']>,
  since: number,
): boolean {
  const name = textAt(spec, 'trafficMonitoring', 'chatWebhookSecretRef', 'name');
  const key = textAt(spec, 'trafficMonitoring', 'chatWebhookSecretRef', 'key');
  if (name === undefined || key === undefined) return !chat;
  return chat && scene.intent.secretValues(namespace, name, key, since).includes(chatURL);
}
