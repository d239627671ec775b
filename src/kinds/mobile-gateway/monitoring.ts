import { isDeepStrictEqual } from 'node:util';
import { changeOf, type FieldChange, mending, secretChange } from '../../reconcile/change.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { GatewayFacts, Monitoring } from './facts.ts';
import type { GatewaySpec } from './schema.ts';
import type { GatewayApplied } from './status-schema.ts';
import type { GatewayPart } from './steps.ts';

/** Traffic monitoring: set, changed or switched off. The webhook is compared by its digest, wherever it came from. */
export function planMonitoring(facts: GatewayFacts): GatewayPart<'trafficMonitoring'> {
  const { trafficMonitoring: spec } = facts.desired.spec;
  const observed = facts.details.trafficMonitoring;
  if (!spec) {
    if (!wasApplied(facts, 'trafficMonitoring') || observed === 'unset') return {};
    const drift = [{ field: 'trafficMonitoring', desired: 'none', observed: show(observed) }];
    return {
      steps: [{ do: 'deleteTrafficMonitoring', fields: ['trafficMonitoring'], changes: mending(drift) }],
      drift,
    };
  }
  const kept: GatewayApplied = facts.applied.trafficMonitoring
    ? { trafficMonitoring: facts.applied.trafficMonitoring }
    : {};
  const { chatWebhook } = facts.desired;
  const warnings = warningsOf(spec);
  if (chatWebhook && 'hold' in chatWebhook)
    return { applied: kept, hold: chatWebhook.hold, undecided: ['trafficMonitoring'], warnings };
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
  if (believed && believed !== 'unset' && isSameMonitoring(believed, monitoring)) return { applied, warnings };
  return {
    steps: [
      {
        do: 'setTrafficMonitoring',
        monitoring,
        chatWebhook: chatWebhook?.value,
        fields: ['trafficMonitoring'],
        changes: changesOf(believed === 'unset' ? undefined : believed, monitoring),
      },
    ],
    drift: [{ field: 'trafficMonitoring', desired: show(monitoring), observed: show(observed) }],
    applied,
    warnings,
  };
}

/** What is asked for and has no effect: no rule refuses it, for the service takes it, and gateways may have it. */
function warningsOf(spec: NonNullable<GatewaySpec['trafficMonitoring']>): string[] {
  const { autoTrafficShaping = false, bandwidthLimitKbps, email = false, chatWebhookSecretRef } = spec;
  if (autoTrafficShaping) return [];
  if (bandwidthLimitKbps !== undefined) {
    return [
      'trafficMonitoring.bandwidthLimitKbps does nothing without autoTrafficShaping: set autoTrafficShaping: true, or remove the limit.',
    ];
  }
  if (email || chatWebhookSecretRef) return [];
  return [
    'trafficMonitoring does nothing when the quota is reached: set email, chatWebhookSecretRef or autoTrafficShaping, or remove it.',
  ];
}

/** What differs, member by member: the webhook is a secret, and may be all that does. */
function changesOf(before: Monitoring | undefined, after: Monitoring): FieldChange[] {
  const members = ['quotaMB', 'autoTrafficShaping', 'bandwidthLimitKbps', 'email'] as const;
  const changes = members
    .filter((member) => before?.[member] !== after[member])
    .map((member) => changeOf(`trafficMonitoring.${member}`, before?.[member], after[member]));
  const isOther = before?.chat !== after.chat || before?.chatWebhookDigest !== after.chatWebhookDigest;
  const isThere = { before: before?.chat === true, after: after.chat };
  const webhook = secretChange('trafficMonitoring.chatWebhookSecretRef', isThere);
  return isOther && (isThere.before || isThere.after) ? [...changes, webhook] : changes;
}

/** Whether both do the same. */
export function isSameMonitoring(a: Monitoring, b: Monitoring): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b));
}

/** A webhook that is switched off says nothing, and nor does a bandwidth of 0, which clients send where they want none. */
function comparable(monitoring: Monitoring): Monitoring {
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
