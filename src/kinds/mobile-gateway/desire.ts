import type { Gateway } from '../../cloud/gateway/types.ts';
import { Annotation, isSet } from '../../reconcile/annotations.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import { digestOfSecret } from '../../reconcile/seal.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { Sim } from '../sim/schema.ts';
import type { DesiredGateway, GatewayDetails } from './facts.ts';
import { nameOf } from './makers.ts';
import { GatewayReason } from './reasons.ts';
import { looksAfterItself } from './registered.ts';
import type { MobileGateway } from './schema.ts';

/** Where what a spec names is looked up. */
export interface DesireSources {
  readonly secrets: SecretReader;
  readonly sim: (namespace: string, name: string) => Sim | undefined;
  readonly sims: (namespace: string) => readonly Sim[];
}

/** What the spec asks for of the gateway that was found, with what it names looked up. */
export async function desire(
  pass: Pass<MobileGateway>,
  sources: DesireSources,
  observed: Gateway | undefined,
  details: GatewayDetails,
): Promise<DesiredGateway> {
  const { object } = pass;
  const namespace = object.metadata.namespace ?? '';
  const resolved: DesiredGateway['simRoutes']['resolved'][number][] = [];
  const waiting: DesiredGateway['simRoutes']['waiting'][number][] = [];
  for (const { prefix, simRef } of object.spec.simRoutes ?? []) {
    const named = sources.sim(namespace, simRef.name);
    const status = recordOf(named);
    const registered = details.sims?.find(({ id }) => id === status?.id);
    const isIts = registered && (registered.iccid === undefined || registered.iccid === named?.spec.iccid);
    if (isIts && isOn(status, observed?.id)) resolved.push({ prefix, resourceID: registered.id });
    else {
      const isMeantElsewhere = named !== undefined && named.spec.gatewayRef?.name !== object.metadata.name;
      waiting.push({ prefix, sim: simRef.name, iccid: named?.spec.iccid, simID: status?.id, isMeantElsewhere });
    }
  }
  return {
    name: nameOf(object),
    spec: object.spec,
    chatWebhook: pass.deleting ? undefined : await webhookOf(pass, namespace, sources.secrets),
    simRoutes: { resolved, waiting },
    releasesSims: isSet(object, Annotation.releaseSims),
    namedBy: sources
      .sims(namespace)
      .filter((sim) => looksAfterItself(sim, { name: object.metadata.name, id: observed?.id }))
      // One that was taken off by hand, and names another gateway by now, has nothing left to do here.
      .filter((sim) => sim.spec.gatewayRef?.name === object.metadata.name || mayBeOn(details, sim))
      .map((sim) => `${namespace}/${sim.metadata.name}`),
  };
}

async function webhookOf(
  pass: Pass<MobileGateway>,
  namespace: string,
  secrets: SecretReader,
): Promise<DesiredGateway['chatWebhook']> {
  const ref = pass.object.spec.trafficMonitoring?.chatWebhookSecretRef;
  if (!ref) return undefined;
  const value = (await secrets.read(namespace, ref.name))?.word(ref.key);
  if (value) return { value, digest: digestOfSecret(pass.session, value.reveal()) };
  return {
    hold: {
      state: 'Waiting',
      reason: GatewayReason.ChatWebhookSecretMissing,
      message: `trafficMonitoring.chatWebhookSecretRef names the key "${ref.key}" of Secret ${ref.name} in namespace ${namespace}, which does not exist or is empty. Put the webhook's URL there.`,
    },
  };
}

/** What a Sim's status tells of its SIM: nothing if it was written for another Sim. */
export function recordOf(sim: Sim | undefined): Sim['status'] {
  return sim && !isStatusOfAnother(sim) ? sim.status : undefined;
}

/** Whether it tells of a SIM on this gateway. */
export function isOn(status: Sim['status'], gatewayID: string | undefined): boolean {
  return gatewayID !== undefined && status?.registered === true && status.gatewayID === gatewayID;
}

function mayBeOn({ sims }: GatewayDetails, { status }: Sim): boolean {
  return sims === undefined || sims.some((sim) => sim.id === status?.id);
}
