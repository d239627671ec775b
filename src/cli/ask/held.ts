import { UsageError } from '../errors.ts';
import type { Reported } from '../standing.ts';

/** Throws `UsageError` if `dataLimit` stops the SIM of this Sim: activated, it would be stopped again. Pure. */
export function refuseHeld({ metadata, spec, status }: Reported): void {
  const limit = spec?.['dataLimit'];
  const stops = typeof limit === 'object' && limit !== null && 'action' in limit && limit.action === 'Deactivate';
  if (!stops || status?.['dataLimit'] === undefined || spec?.['managementPolicy'] === 'Observe') return;
  throw new UsageError(
    `the Sim ${metadata.namespace}/${metadata.name} is over its dataLimit, so the operator would undo this`,
    'Raise spec.dataLimit.monthly there, or set spec.dataLimit.action to Warn: the operator then activates it at once. Or do it all the same with --force.',
  );
}
