import type { ObservedSim } from '../../../../src/kinds/sim/facts.ts';

/** A SIM that is active, on no gateway, and of which nothing else is set. */
export const bareSim: ObservedSim = {
  id: '113300000001',
  name: 'truck',
  iccid: '8981040000000000017',
  imsi: [],
  availability: 'available',
  activated: true,
  registered: false,
  imeiLocked: false,
};
