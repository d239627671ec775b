import { holdMissing, holdStranger } from '../../../src/kinds/cloud-account/losses.ts';
import type { AccountReason } from '../../../src/kinds/cloud-account/reasons.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';

const proposal = { account: 'CloudAccount/fleet/default', until: '2026-01-02T00:00:00Z' };
const recorded = ['17', '18', '19'].map((id) => ({ key: `Sim/fleet/truck-${id}`, what: `SIM ${id}`, isThere: false }));

/** Much is missing at once, or through new credentials. */
export const missing = (isNewAccess: boolean): Hold<AccountReason> => holdMissing({ recorded, isNewAccess, proposal });

/** Under the recorded ID there is another. */
export const stranger: Hold<AccountReason> = holdStranger('SIM 17', 'its ICCID is not 8981040000000000001', proposal);
