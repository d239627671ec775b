import type { Reported } from './standing.ts';

/** Whether `dataLimit` keeps the SIM of this Sim from being active, as the operator last saw it. Pure. */
export function limitStops({ spec, status }: Pick<Reported, 'spec' | 'status'>): boolean {
  const { dataLimit, managementPolicy } = spec ?? {};
  const stops = Object(dataLimit).action === 'Deactivate' && managementPolicy !== 'Observe';
  return stops && status?.['dataLimit'] !== undefined;
}
