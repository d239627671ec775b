import type { Clock } from '../../clock.ts';
import { ConflictError, RejectedError } from '../../cloud/errors.ts';
import type { Claims } from '../../reconcile/claims.ts';
import type { Created, Pass, StepResult } from '../../reconcile/kind.ts';
import type { CreateStep } from '../../reconcile/plan.ts';
import { type DetailsReader, registeredSims } from './details.ts';
import { gatewayKey } from './effect.ts';
import type { ResolvedRoute } from './facts.ts';
import { type MadeGateways, placeOf } from './made.ts';
import type { GatewayMark, MobileGateway } from './schema.ts';
import type { GatewayStep } from './steps.ts';
import { explainZone } from './unknown-zone.ts';

/** Asks for the gateway (`api.md`, Mobile gateway operations). */
export async function createGateway(
  step: CreateStep<GatewayStep>,
  pass: Pass<MobileGateway>,
  {
    made,
    claims,
    clock,
  }: { readonly made: MadeGateways; readonly claims: Claims<MobileGateway>; readonly clock: Pick<Clock, 'monotonic'> },
): Promise<Created<MobileGateway, GatewayMark>> {
  const { zone } = pass.object.spec;
  const { uid } = pass.object.metadata;
  made.drop(uid);
  const { id, createdAt } = await pass.session.client.gateways
    .create(zone, { name: step.name, planID: step.planID }, pass.call('write'))
    .catch((error: unknown) => {
      throw explainZone(error, zone);
    });
  made.note(uid, { id }, { ...placeOf(pass), at: clock.monotonic() });
  // Who names its ID sees it at once, and the status tells when it was made a while later.
  claims.claim(pass.object, { id, createdAt }, pass.session, []);
  return { id, marks: { creation: undefined } };
}

/** Does one step about the gateway with this ID (`api.md`, Mobile gateway operations). */
export async function actOnGateway(
  step: Exclude<GatewayStep, CreateStep<GatewayStep>>,
  id: string,
  pass: Pass<MobileGateway>,
  details: DetailsReader,
): Promise<StepResult<MobileGateway, GatewayMark>> {
  const { gateways, sims } = pass.session.client;
  const { zone } = pass.object.spec;
  const key = gatewayKey(pass.session, id);
  const call = pass.call('write');
  switch (step.do) {
    case 'recognise':
      return { marks: { creation: undefined } };
    case 'noteStarted':
      return { marks: { booted: true } };
    case 'updateSettings':
      details.inEffect.sends(key, step.settings);
      await gateways.updateSettings(zone, id, step.settings, call);
      details.inEffect.sent(key, step.settings);
      return {};
    case 'config':
      await gateways.config(zone, id, call);
      details.inEffect.configured(key);
      return step.isInterim ? {} : { marks: { configPending: undefined } };
    case 'setTrafficMonitoring': {
      const { chatWebhookDigest: _digest, ...monitoring } = step.monitoring;
      const url = step.chatWebhook ? { chatWebhookURL: step.chatWebhook.reveal() } : {};
      await gateways.setTrafficMonitoring(zone, id, { ...monitoring, ...url }, call);
      return {};
    }
    case 'deleteTrafficMonitoring':
      await gateways.deleteTrafficMonitoring(zone, id, call);
      return {};
    case 'setDNS':
      await gateways.setDNS(zone, id, step.dns, call);
      details.sentDNS(pass.object, id);
      return {};
    case 'setSimRoutes':
      await gateways.setSimRoutes(zone, id, step.routes, call).catch(async (error: unknown) => {
        if (!(error instanceof RejectedError) || step.routes.length === 0) throw error;
        const left = await leftMeanwhile(error, step.routes, pass, id);
        if (left) throw left;
        // One that left may be back by now.
        await gateways.setSimRoutes(zone, id, step.routes, call);
      });
      return {};
    case 'boot':
      await gateways.boot(zone, id, call);
      return { marks: { booted: true } };
    case 'stop':
      await gateways.stop(zone, id, {}, call);
      return {};
    case 'clearIP':
      await sims.clearIP(step.simID, call);
      return {};
    case 'unregister':
      await gateways.unregisterSim(zone, id, step.simID, call);
      return {};
    case 'delete':
      await gateways.delete(zone, id, call);
      details.inEffect.drop(key);
      return {};
  }
}

/**
 * What it is where routes were refused because a SIM left the gateway in the meantime, which is no fault of the spec: its route
 * waits from the next look on. Undefined: all of them are there.
 */
async function leftMeanwhile(
  error: RejectedError,
  routes: readonly ResolvedRoute[],
  pass: Pass<MobileGateway>,
  id: string,
): Promise<ConflictError | undefined> {
  const registered = new Set((await registeredSims(pass, id, pass.call('verify'))).map((sim) => sim.id));
  if (routes.every((route) => registered.has(route.resourceID))) return undefined;
  const { route, status } = error;
  const details = { route, ...(status !== undefined && { status }), cause: error };
  return new ConflictError(
    'A SIM left the gateway while its route was set',
    'Nothing to do: it is looked at again.',
    details,
  );
}

/** The step in the past tense. */
export function describeGatewayStep(step: GatewayStep): string {
  switch (step.do) {
    case 'create':
      return `asked for the gateway "${step.name}" with plan ${step.planID}`;
    case 'recognise':
      return step.isOwn
        ? 'found the gateway whose creation was interrupted'
        : 'took over another gateway than the one whose creation was interrupted';
    case 'updateSettings':
      return `sent the settings ${step.fields.join(', ')}`;
    case 'config':
      return 'applied the settings';
    case 'setTrafficMonitoring':
      return `set traffic monitoring at ${step.monitoring.quotaMB} MB`;
    case 'deleteTrafficMonitoring':
      return 'switched traffic monitoring off';
    case 'setDNS':
      return `set the resolvers ${step.dns.primary} and ${step.dns.secondary}`;
    case 'setSimRoutes':
      return step.routes.length === 0
        ? 'removed the SIM routes'
        : `set ${step.routes.length} SIM route${step.routes.length === 1 ? '' : 's'}`;
    case 'boot':
      return 'started it';
    case 'noteStarted':
      return 'found it running';
    case 'stop':
      return 'stopped it';
    case 'clearIP':
      return `cleared the IP address of SIM ${step.simID}`;
    case 'unregister':
      return `unregistered SIM ${step.simID}`;
    case 'delete':
      return 'deleted the gateway';
  }
}
