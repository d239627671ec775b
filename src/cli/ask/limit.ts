import { limitStops } from '../data-limit.ts';
import { UsageError } from '../errors.ts';
import type { Reported } from '../standing.ts';

/** Throws `UsageError` if `dataLimit` stops the SIM of this Sim: activated, it would be stopped again. Pure. */
export function refuseStopped(sim: Reported): void {
  if (!limitStops(sim)) return;
  const { namespace, name } = sim.metadata;
  throw new UsageError(
    `the Sim ${namespace}/${name} is over its dataLimit, so the operator would undo this`,
    'Raise spec.dataLimit.monthly there, or set spec.dataLimit.action to Warn: the operator then activates it at once. Or do it all the same with --force.',
  );
}
