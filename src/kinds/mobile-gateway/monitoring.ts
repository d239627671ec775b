import { isDeepStrictEqual } from 'node:util';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { GatewayFacts, Monitoring } from './facts.ts';
import type { GatewayApplied } from './status-schema.ts';
import type { GatewayPart } from './steps.ts';

/** Traffic monitoring: set, changed or switched off. The webhook is compared by its digest, wherever it came from. */
export function planMonitoring(facts: GatewayFacts): GatewayPart<'trafficMonitoring'> {
  const { trafficMonitoring: spec } = facts.desired.spec;
  const observed = facts.details.trafficMonitoring;
  if (!spec) {
    if (!wasApplied(facts, 'trafficMonitoring') || observed === 'unset') return {};
    return {
      steps: [{ do: 'deleteTrafficMonitoring', fields: ['trafficMonitoring'] }],
      drift: [{ field: 'trafficMonitoring', desired: 'none', observed: show(observed) }],
    };
  }
  const kept: GatewayApplied = facts.applied.trafficMonitoring
    ? { trafficMonitoring: facts.applied.trafficMonitoring }
    : {};
  const { chatWebhook } = facts.desired;
  if (chatWebhook && 'hold' in chatWebhook) return { applied: kept, hold: chatWebhook.hold };
  const monitoring: Monitoring = {
    quotaMB: spec.quotaMB,
    autoTrafficShaping: spec.autoTrafficShaping ?? false,
    email: spec.email ?? false,
    chat: chatWebhook !== undefined,
    ...(spec.bandwidthLimitKbps !== undefined && { bandwidthLimitKbps: spec.bandwidthLimitKbps }),
    ...(chatWebhook && { chatWebhookDigest: chatWebhook.digest }),
  };
  const applied = { trafficMonitoring: monitoring };
  const believed =
    observed ?? (facts.pending.includes('trafficMonitoring') ? undefined : facts.applied.trafficMonitoring);
  if (believed !== 'unset' && isDeepStrictEqual(comparable(believed), comparable(monitoring))) return { applied };
  return {
    steps: [
      {
        do: 'setTrafficMonitoring',
        monitoring,
        chatWebhook: chatWebhook?.value,
        fields: ['trafficMonitoring'],
      },
    ],
    drift: [{ field: 'trafficMonitoring', desired: show(monitoring), observed: show(observed) }],
    applied,
  };
}

/** A webhook that is switched off says nothing, and nor does a bandwidth of 0, which clients send where they want none. */
function comparable(monitoring: Monitoring | undefined): Monitoring | undefined {
  if (!monitoring) return undefined;
  const { chatWebhookDigest, bandwidthLimitKbps, ...rest } = monitoring;
  return {
    ...rest,
    ...(bandwidthLimitKbps !== undefined && bandwidthLimitKbps > 0 && { bandwidthLimitKbps }),
    ...(rest.chat && chatWebhookDigest !== undefined && { chatWebhookDigest }),
  };
}

function show(monitoring: Monitoring | 'unset' | undefined): string {
  if (!monitoring || monitoring === 'unset') return 'none';
  const { quotaMB, autoTrafficShaping, bandwidthLimitKbps, email, chat } = monitoring;
  const notices = [email && 'email', chat && 'chat'].filter(Boolean).join(' and ') || 'nobody';
  return `${quotaMB} MB, ${autoTrafficShaping ? `then ${bandwidthLimitKbps} kbps` : 'not slowed down'}, telling ${notices}`;
}
