import { type Comparisons, compared } from '../common/comparisons.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import type { SimApplied } from './schema.ts';

const comparisons: Comparisons<SimApplied, ObservedSim> = {
  displayName: (name, sim) => sim.name === name,
  carriers: (carriers, sim, part) =>
    sim.carriers &&
    carriers
      .filter(({ name }) => part === undefined || name === part)
      .every(({ name, allow }) => sim.carriers?.some((one) => one.name === name && one.allow === allow)),
  activated: (activated, sim) => sim.activated === activated,
  dataLimit: (_, sim) => !sim.activated,
  imeiLock(imei, sim) {
    if (!sim.imeiLocked) return false;
    return sim.imei === undefined ? undefined : sim.imei === imei;
  },
  gateway({ id }, sim) {
    if (!sim.registered) return false;
    return sim.gateway && sim.gateway.id === id;
  },
  ipAddress: (address, sim) => sim.ip === address,
};

/** Whether the SIM has just what was sent of an entry of `pending`; undefined: that does not show. Pure. */
export function isThere({ observed }: Pick<SimFacts, 'observed'>, entry: string, value: unknown): boolean | undefined {
  return observed && compared(comparisons, observed, entry, value);
}
