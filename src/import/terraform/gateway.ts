import { type GatewaySpec, gatewaySpec } from '../../kinds/mobile-gateway/schema.ts';
import { SecretValue } from '../../reconcile/secret-value.ts';
import type { Attributes } from './attributes.ts';
import {
  type Context,
  common,
  type Findings,
  findingsOf,
  noteUnknown,
  noteUnmanaged,
  noteUnseen,
  type Place,
} from './context.ts';
import { fitted } from './fit.ts';
import type { Converted, SecretManifest } from './result.ts';
import type { Source } from './source.ts';

const WEBHOOK_KEY = 'url';

/** The SIMs of a gateway with their addresses, by the SIM's ID. */
export function simsOn({ id, attributes }: Source): readonly { readonly simID: string; readonly place: Place }[] {
  return attributes.blocks('sim').flatMap((block) => {
    const simID = block.text('sim_id');
    const ip = block.text('ip_address');
    return simID === undefined ? [] : [{ simID, place: { gatewayID: id, ip } }];
  });
}

/** A MobileGateway from `sakuracloud_mobile_gateway`. Pure. */
export function gatewayOf(source: Source, name: string, context: Context): Converted {
  const { attributes, id, address } = source;
  const notes = findingsOf(source);
  const displayName = attributes.text('name');
  const monitoring = monitoringOf(attributes, `${name}-chat-webhook`, notes);
  const privateInterface = privateInterfaceOf(attributes, notes);
  const spec: GatewaySpec = {
    ...common(context, source),
    zone: attributes.text('zone') ?? '',
    resourceID: id,
    adoption: 'Required',
    ...(displayName !== undefined && { displayName }),
    // What is off is off by default.
    ...(attributes.flag('internet_connection') && { internetConnection: true }),
    ...(attributes.flag('inter_device_communication') && { interDeviceCommunication: true }),
    ...(privateInterface && { privateInterface }),
    ...staticRoutesOf(attributes, privateInterface !== undefined, notes),
    ...dnsOf(attributes, context, notes),
    ...simRoutesOf(source, context, notes),
    ...(monitoring && { trafficMonitoring: monitoring.spec }),
  };
  reportOthersSims(source, context, notes);
  noteUnmanaged(attributes, notes, ['description', 'tags', 'icon_id']);
  attributes.pass('public_ip', 'public_netmask');
  noteUnknown(attributes, notes);
  const fit = fitted(gatewaySpec, spec, ['zone', 'resourceID'], source);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  const keeps = fit.spec.trafficMonitoring?.chatWebhookSecretRef !== undefined;
  return {
    manifest: { kind: 'MobileGateway', name, spec: fit.spec, from: [address] },
    secrets: keeps && monitoring?.secret ? [monitoring.secret] : [],
    findings: [...notes.findings, ...fit.findings],
  };
}

function privateInterfaceOf(attributes: Attributes, notes: Findings): GatewaySpec['privateInterface'] {
  const [block] = attributes.blocks('private_network_interface');
  const ipAddress = block?.text('ip_address');
  const networkMaskLength = block?.number('netmask');
  if (!block || ipAddress === undefined || networkMaskLength === undefined) return undefined;
  if (block.has('switch_id')) {
    notes.add(
      'private_network_interface.switch_id',
      'Edgeline does not connect gateways to switches',
      'Nothing: the gateway stays connected as it is. The switch itself belongs to whoever manages switches.',
    );
  }
  block.pass('switch_id');
  return { ipAddress, networkMaskLength };
}

function staticRoutesOf(
  attributes: Attributes,
  hasInterface: boolean,
  { add }: Findings,
): Pick<GatewaySpec, 'staticRoutes'> {
  const staticRoutes = attributes
    .blocks('static_route')
    .map((block) => ({ prefix: block.text('prefix') ?? '', nextHop: block.text('next_hop') ?? '' }));
  if (staticRoutes.length === 0) return {};
  if (hasInterface) return { staticRoutes };
  add(
    'static_route',
    'the gateway of the state has no private network for them to lead into',
    'Refresh the state (terraform apply -refresh-only) and run this again; until then they stay as they are.',
  );
  return {};
}

function dnsOf(attributes: Attributes, { options }: Context, notes: Findings): Pick<GatewaySpec, 'dns'> {
  const [primary, secondary] = attributes.texts('dns_servers');
  if (primary === undefined || secondary === undefined) return {};
  if (options.dialect === 'Extended' || options.sendUnseen) return { dns: { primary, secondary } };
  noteUnseen(notes, 'dns_servers', 'the resolvers in the Documented dialect');
  return {};
}

/** All or none: what is not in the list would be removed at the service. */
function simRoutesOf({ id, attributes }: Source, context: Context, { add }: Findings): Pick<GatewaySpec, 'simRoutes'> {
  const routes = attributes
    .blocks('sim_route')
    .map((block) => ({ prefix: block.text('prefix') ?? '', simID: block.text('sim_id') ?? '' }));
  if (routes.length === 0) return {};
  const strangers = [...new Set(routes.filter(({ simID }) => !isHere(simID, id, context)).map(({ simID }) => simID))];
  if (strangers.length > 0) {
    add(
      'sim_route',
      `routes lead to SIMs that are not carried over, or not on this gateway: ${strangers.join(', ')}`,
      'Make Sims of them with gatewayRef, then write simRoutes into the manifest with every route; until then all routes stay as they are.',
    );
    return {};
  }
  return {
    simRoutes: routes.map(({ prefix, simID }) => ({ prefix, simRef: { name: context.sims.get(simID) ?? '' } })),
  };
}

function isHere(simID: string, gatewayID: string, { sims, places }: Context): boolean {
  const found = places.get(simID) ?? [];
  return sims.has(simID) && found.length === 1 && found[0]?.gatewayID === gatewayID;
}

function reportOthersSims(source: Source, { sims }: Context, { add }: Findings): void {
  const others = simsOn(source).flatMap(({ simID }) => (sims.has(simID) ? [] : [simID]));
  if (others.length === 0) return;
  add(
    'sim',
    `SIMs on this gateway that are not carried over: ${others.join(', ')}`,
    'Nothing, if they may stay as they are; else make Sims of them (docs/adopting.md).',
  );
}

function monitoringOf(
  attributes: Attributes,
  secretName: string,
  { add }: Findings,
):
  | { readonly spec: NonNullable<GatewaySpec['trafficMonitoring']>; readonly secret: SecretManifest | undefined }
  | undefined {
  const [block] = attributes.blocks('traffic_control');
  const quotaMB = block?.number('quota');
  if (!block || quotaMB === undefined) return undefined;
  const limit = block.number('band_width_limit') ?? 0;
  const shapes = block.flag('auto_traffic_shaping') ?? false;
  const notifies = block.flag('enable_slack') ?? false;
  const url = block.text('slack_webhook');
  const email = block.flag('enable_email') ?? false;
  if (shapes && limit === 0) {
    add(
      'traffic_control',
      'it slows traffic down without a bandwidth, which Edgeline does not accept',
      'Write trafficMonitoring into the manifest with bandwidthLimitKbps; until then it stays as it is.',
    );
    return undefined;
  }
  if (notifies && url === undefined) {
    add(
      'traffic_control',
      'it notifies a chat whose webhook the state does not have',
      'Write trafficMonitoring into the manifest with chatWebhookSecretRef; until then it stays as it is.',
    );
    return undefined;
  }
  if (!notifies && url !== undefined) {
    add(
      'traffic_control.slack_webhook',
      'notifying the chat is switched off, and Edgeline has no place for a webhook that is not used',
      'Nothing: it stays at the service as it is, until Edgeline writes another trafficMonitoring.',
    );
  }
  return {
    spec: {
      quotaMB,
      ...(shapes && { autoTrafficShaping: true }),
      ...(limit > 0 && { bandwidthLimitKbps: limit }),
      ...(email && { email }),
      ...(notifies && { chatWebhookSecretRef: { name: secretName, key: WEBHOOK_KEY } }),
    },
    secret:
      notifies && url !== undefined
        ? { name: secretName, type: 'Opaque', values: { [WEBHOOK_KEY]: new SecretValue(url) } }
        : undefined,
  };
}
