import { accountMutants } from './accounts.ts';
import { approvalMutants } from './approval.ts';
import { brakeMutants } from './brakes.ts';
import { certificateMutants } from './certificates.ts';
import { cloudMutants } from './cloud.ts';
import { cornerMutants } from './corners.ts';
import { courseMutants } from './courses.ts';
import { freshMutants } from './fresh.ts';
import { freshAgainMutants } from './fresh-again.ts';
import { gatewayUseMutants } from './gateway-use.ts';
import { gatewayMutants } from './gateways.ts';
import { kubernetesMutants } from './kubernetes.ts';
import { mappingMutants } from './mapping.ts';
import type { Mutant } from './mutant.ts';
import { operatorMutants } from './operator.ts';
import { outsiderMutants } from './outsider.ts';
import { reconcileMutants } from './reconcile.ts';
import { simMutants } from './sims.ts';
import { siteMutants } from './sites.ts';

/** All faults that the simulation is to find. */
export const mutants: readonly Mutant[] = [
  ...kubernetesMutants,
  ...cloudMutants,
  ...mappingMutants,
  ...simMutants,
  ...gatewayMutants,
  ...siteMutants,
  ...certificateMutants,
  ...accountMutants,
  ...reconcileMutants,
  ...operatorMutants,
  ...gatewayUseMutants,
  ...cornerMutants,
  ...brakeMutants,
  ...approvalMutants,
  ...courseMutants,
  ...freshMutants,
  ...freshAgainMutants,
  ...outsiderMutants,
];
