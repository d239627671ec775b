import { brakedVerdict, type Excess, holdBraked } from '../../../src/kinds/cloud-account/brake-hold.ts';
import type { AccountReason } from '../../../src/kinds/cloud-account/reasons.ts';
import type { Braked } from '../../../src/reconcile/brakes.ts';
import type { Verdict } from '../../../src/reconcile/conditions.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';
import { metadataOf, now } from './case.ts';

const ACCOUNT = 'CloudAccount/fleet/default';

function excessOf(action: Braked): Excess {
  const count = { waiting: 12, done: 0, total: 40, limit: 10, among: 12, isOver: true };
  return { action, namespace: 'fleet', brake: { perHour: 10, percent: 50 }, count, letGoUntil: now };
}

/** Too much is asked for at once. */
export function heldByBrake(action: Braked): Hold<AccountReason> {
  const [kind, name] = action === 'Deletion' ? ['Sim', 'truck-17'] : ['MobileGateway', 'depot'];
  const object = { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: metadataOf(name) };
  return holdBraked(object, ACCOUNT, excessOf(action));
}

/** What the account says of it. */
export function accountBraked(action: Braked): Verdict | undefined {
  return brakedVerdict(ACCOUNT, [excessOf(action)]);
}
