import type { HealthCase } from './case.ts';
import { accountCases } from './cases/accounts.ts';
import { certificateCases } from './cases/certificates.ts';
import { gatewayCases } from './cases/gateways.ts';
import { simCases } from './cases/sims.ts';
import { siteCases } from './cases/sites.ts';

/**
 * Situations with the status that the operator's own functions give an object then. With the mistakes, which the operator meets
 * for real, they fill every field of the table of health.
 */
export async function healthCases(): Promise<readonly HealthCase[]> {
  return [...accountCases, ...simCases, ...gatewayCases, ...(await siteCases()), ...(await certificateCases())];
}
