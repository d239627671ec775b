import { isIP, isIPv4 } from 'node:net';
import { mending } from '../../reconcile/change.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import { driftOf } from './drift.ts';
import type { ObservedSite, SiteFacts } from './facts.ts';
import { SiteReason } from './reasons.ts';
import type { SitePart } from './steps.ts';

/** A rule in the one form in which rules are sent and compared. */
export function canonicalRule(rule: string): string {
  return rule.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** What is wrong with the first rule that is none (`api.md`, ACL); undefined when all are. */
export function accessControlError(rules: readonly string[]): string | undefined {
  for (const [index, rule] of rules.entries()) {
    const where = `accessControl line ${index + 1}, "${rule}"`;
    const [verb, target = '', rest] = canonicalRule(rule).split(' ');
    if ((verb !== 'deny' && verb !== 'allow') || target === '' || rest !== undefined)
      return `${where}: write deny or allow, a space, and an address, a network or all, for example "deny 192.0.2.0/24".`;
    if (target === 'all') {
      if (index < rules.length - 1) return `${where}: move it to the end; nothing after "all" would count.`;
    } else if (!isAddressOrNetwork(target)) {
      return `${where}: ${target} is neither an address nor a network; write for example 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.`;
    }
  }
  return undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', length, rest] = text.split('/');
  if (isIP(address) === 0 || rest !== undefined) return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128);
}

/** The access control list: set, changed, removed. An empty list is no list. */
export function planAccessControl(facts: SiteFacts, site: ObservedSite): SitePart<'accessControl'> {
  const { accessControl } = facts.desired.spec;
  const kept = facts.applied.accessControl ? { accessControl: facts.applied.accessControl } : {};
  const wanted = accessControl ?? (wasApplied(facts, 'accessControl') ? [] : undefined);
  if (wanted === undefined) return { applied: kept };
  if (site.accessControl === undefined) return { applied: kept, undecided: ['accessControl'] };
  const error = accessControlError(wanted);
  if (error !== undefined) {
    const hold = { state: 'Stalled', reason: SiteReason.AccessControlInvalid, message: error } as const;
    return { applied: kept, hold, undecided: ['accessControl'] };
  }
  const rules = wanted.map(canonicalRule);
  const applied = accessControl ? { accessControl } : {};
  const observed = site.accessControl.map(canonicalRule);
  if (rules.join('\n') === observed.join('\n')) return { applied };
  const drift = [driftOf('accessControl', rules.join('; '), observed.join('; '))];
  const common = { fields: ['accessControl'], pending: ['accessControl'], changes: mending(drift) } as const;
  return rules.length === 0
    ? { steps: [{ do: 'removeAccessControl', ...common }], drift, applied }
    : { steps: [{ do: 'setAccessControl', rules, mends: drift, ...common }], drift, applied };
}
