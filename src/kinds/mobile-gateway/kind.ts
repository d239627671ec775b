import type { ManagedKind } from '../../reconcile/kind.ts';
import { actOnGateway, describeGatewayStep } from './act.ts';
import type { GatewayFacts } from './facts.ts';
import { type GatewaySources, gatherGateway } from './gather.ts';
import { planGateway, planGatewayDeletion } from './plan.ts';
import { gatewayApplied, gatewayDefinition, gatewayResource, type MobileGateway } from './schema.ts';
import { gatewayImpairment, gatewayReadyMessage, observedGatewayStatus } from './status.ts';
import type { GatewayStep } from './steps.ts';

/** The kind MobileGateway, reading from `sources`. */
export function createGatewayKind(sources: GatewaySources): ManagedKind<MobileGateway, GatewayFacts, GatewayStep> {
  return {
    definition: gatewayDefinition,
    resource: gatewayResource,
    fields: Object.keys(gatewayApplied.shape),
    marks: ['creation', 'configPending', 'booted'],
    secretsOf: ({ spec }) =>
      spec.trafficMonitoring?.chatWebhookSecretRef ? [spec.trafficMonitoring.chatWebhookSecretRef.name] : [],
    gather: (pass) => gatherGateway(pass, sources),
    plan: planGateway,
    planDeletion: planGatewayDeletion,
    async act(step, facts, pass) {
      if (step.do === 'create') sources.made.drop(pass.object.metadata.uid);
      const result = await actOnGateway(step, facts, pass);
      if (step.do === 'setDNS') sources.details.sentDNS(pass.object);
      if (result.id !== undefined) sources.made.note(pass.object.metadata.uid, { id: result.id });
      return result;
    },
    describe: describeGatewayStep,
    identify: ({ observed, ownership }) => observed && { id: observed.id, ownership },
    impairment: gatewayImpairment,
    observed: observedGatewayStatus,
    readyMessage: gatewayReadyMessage,
  };
}
