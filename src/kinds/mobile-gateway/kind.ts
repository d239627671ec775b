import { learntCreation } from '../../reconcile/claims.ts';
import type { ManagedKind } from '../../reconcile/kind.ts';
import { fieldsOf } from '../common/combine.ts';
import { actOnGateway, createGateway, describeGatewayStep } from './act.ts';
import { isThere } from './comparisons.ts';
import type { GatewayFacts } from './facts.ts';
import { type GatewaySources, gatherGateway } from './gather.ts';
import { nameOf } from './makers.ts';
import { gatewayPlanners, planGateway, planGatewayDeletion } from './plan.ts';
import type { GatewayHold } from './reasons.ts';
import { type GatewayMark, gatewayDefinition, gatewayMarks, gatewayResource, type MobileGateway } from './schema.ts';
import { sendsSettings } from './settings.ts';
import { gatewayImpairment, gatewayReadyMessage, observedGatewayStatus } from './status.ts';
import { type GatewayStep, goesOn } from './steps.ts';

/** The kind MobileGateway, reading from `sources`. */
export function createGatewayKind(
  sources: GatewaySources,
): ManagedKind<MobileGateway, GatewayFacts, GatewayStep, GatewayMark, GatewayHold['reason']> {
  return {
    definition: gatewayDefinition,
    resource: gatewayResource,
    fields: fieldsOf(gatewayPlanners),
    isCostly: true,
    marks: gatewayMarks,
    outside: { trafficMonitoring: 'SecretChanged', simRoutes: 'ReferenceChanged' },
    secretsOf: ({ spec }) =>
      spec.trafficMonitoring?.chatWebhookSecretRef ? [spec.trafficMonitoring.chatWebhookSecretRef.name] : [],
    gather: (pass) => gatherGateway(pass, sources),
    plan: planGateway,
    planDeletion: planGatewayDeletion,
    isOld: ({ object }, facts) => sendsSettings(facts) && sources.details.isListOld(object),
    create: (step, pass) => createGateway(step, pass, sources),
    act: (step, id, pass) => actOnGateway(step, id, pass, sources.details),
    called: (object, id) => `gateway ${id} ("${nameOf(object)}", zone ${object.spec.zone})`,
    stateToTell: ({ status }) =>
      status?.instanceStatus?.toLowerCase() === 'down' ? 'and is stopped: start it in the control panel.' : undefined,
    describe: describeGatewayStep,
    isThere,
    forget: sources.details.doubtDNS,
    identify: ({ observed, ownership }) => observed && { id: observed.id, ownership },
    goesOn: (facts, _, failed, next) => goesOn(facts, failed, next),
    impairment: gatewayImpairment,
    observed: observedGatewayStatus,
    learnt: (object, id) => learntCreation(sources.claims, object, id),
    seal: sources.claims.seal,
    giveUp: sources.claims.drop,
    readyMessage: gatewayReadyMessage,
  };
}
