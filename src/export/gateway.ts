import { fitted } from '../import/terraform/fit.ts';
import type { Converted, SecretManifest } from '../import/terraform/result.ts';
import { type GatewaySpec, gatewaySpec } from '../kinds/mobile-gateway/schema.ts';
import { SecretValue } from '../reconcile/secret-value.ts';
import {
  addressOf,
  type Context,
  common,
  displayNameOf,
  type Findings,
  findingsOf,
  noteUnmanaged,
  unnamed,
} from './context.ts';
import type { SeenGateway } from './picture.ts';

const WEBHOOK_KEY = 'url';

/** A MobileGateway that is as the gateway is. Pure. */
export function gatewayOf(seen: SeenGateway, name: string, context: Context): Converted {
  const { zone, gateway, reading } = seen;
  const { settings = {} } = gateway;
  const address = addressOf('gateway', gateway);
  const notes = findingsOf(address);
  const monitoring = monitoringOf(seen, `${name}-chat-webhook`, notes);
  const { privateInterface, staticRoutes = [] } = settings;
  const spec: GatewaySpec = {
    ...common(context.options),
    zone,
    resourceID: gateway.id,
    adoption: 'Required',
    ...displayNameOf(gateway.name, notes),
    // What is off is off by default.
    ...(settings.internetConnection && { internetConnection: true }),
    ...(settings.interDeviceCommunication && { interDeviceCommunication: true }),
    ...(privateInterface && { privateInterface }),
    ...(privateInterface && staticRoutes.length > 0 && { staticRoutes: [...staticRoutes] }),
    ...(reading?.dns && { dns: reading.dns }),
    ...simRoutesOf(seen, context, notes),
    ...(monitoring && { trafficMonitoring: monitoring.spec }),
  };
  const isConnected = gateway.interfaces.some((one, index) => index > 0 && one?.switch !== undefined);
  if (isConnected) notes.add('switch', 'Edgeline does not connect gateways to switches');
  noteUnmanaged(gateway, notes);
  const fit = fitted(gatewaySpec, spec, ['zone', 'resourceID'], { address }, unnamed);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  const keeps = fit.spec.trafficMonitoring?.chatWebhookSecretRef !== undefined;
  return {
    manifest: { kind: 'MobileGateway', name, spec: fit.spec, from: [`${address} in ${zone}`] },
    secrets: keeps && monitoring?.secret ? [monitoring.secret] : [],
    findings: [...notes.findings, ...fit.findings],
  };
}

/** All or none: what is not in the list would be removed at the service. */
function simRoutesOf(
  { gateway, reading }: SeenGateway,
  { sims, places }: Context,
  { add }: Findings,
): Pick<GatewaySpec, 'simRoutes'> {
  const routes = reading?.simRoutes ?? [];
  if (routes.length === 0) return {};
  const isHere = (id: string) => sims.has(id) && places.get(id)?.length === 1 && places.get(id)?.[0] === gateway.id;
  const strangers = [...new Set(routes.map(({ resourceID }) => resourceID))].filter((id) => !isHere(id));
  if (strangers.length > 0) {
    add(
      'simRoutes',
      `routes lead to SIMs that are not among what is exported, or not on this gateway: ${strangers.join(', ')}`,
      'Export these SIMs, too; until simRoutes is in the manifest, with every route, all routes stay as they are.',
    );
    return {};
  }
  return {
    simRoutes: routes.map(({ prefix, resourceID }) => ({ prefix, simRef: { name: sims.get(resourceID) ?? '' } })),
  };
}

function monitoringOf(
  { reading }: SeenGateway,
  secretName: string,
  { add }: Findings,
):
  | { readonly spec: NonNullable<GatewaySpec['trafficMonitoring']>; readonly secret: SecretManifest | undefined }
  | undefined {
  const found = reading?.trafficMonitoring;
  if (!found) return undefined;
  const { quotaMB, autoTrafficShaping, bandwidthLimitKbps: limit = 0, email, chat, chatWebhookURL: url } = found;
  if (autoTrafficShaping && limit === 0) {
    add('trafficMonitoring', 'it slows traffic down without a bandwidth, which Edgeline does not accept');
    return undefined;
  }
  if (chat && !url) {
    add(
      'trafficMonitoring',
      'it notifies a chat, and the service does not show the webhook',
      'Write trafficMonitoring into the manifest with chatWebhookSecretRef; until then it stays as it is.',
    );
    return undefined;
  }
  return {
    spec: {
      quotaMB,
      ...(autoTrafficShaping && { autoTrafficShaping }),
      ...(limit > 0 && { bandwidthLimitKbps: limit }),
      ...(email && { email }),
      ...(chat && { chatWebhookSecretRef: { name: secretName, key: WEBHOOK_KEY } }),
    },
    secret:
      chat && url ? { name: secretName, type: 'Opaque', values: { [WEBHOOK_KEY]: new SecretValue(url) } } : undefined,
  };
}
