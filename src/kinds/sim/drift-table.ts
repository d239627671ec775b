import { isDeepStrictEqual } from 'node:util';
import { sameSim } from '../../cloud/sim/same.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { ObservedField } from '../../reconcile/managed-object.ts';
import type { DriftTable, SpecField } from '../common/drift-table.ts';
import { tellsLimit } from './data-limit.ts';
import type { ObservedSim } from './facts.ts';
import { observe } from './observe.ts';
import { sessionDownSince } from './online.ts';
import type { Sim, SimMark } from './schema.ts';
import { shownStatus } from './status.ts';

type Shown = keyof ReturnType<typeof shownStatus> & keyof NonNullable<Sim['status']>;

/** An item of the list, as it is observed, and as a status shows it. */
interface SeenSim {
  readonly item: SimItem;
  readonly observed: ObservedSim;
  readonly shown: ReturnType<typeof shownStatus>;
}

/** The list shows it, and the status shows it in the same words. */
const list = (field: Shown) =>
  ({
    from: 'list',
    isTold: (status: NonNullable<Sim['status']>, { shown }: SeenSim) => isDeepStrictEqual(status[field], shown[field]),
  }) as const;
const details = { from: 'details' } as const;
const identity = { from: 'identity' } as const;

/** How drift of each field of a Sim is noticed. */
export const simDrift: DriftTable<Sim, SimItem, SpecField<Sim>, ObservedField<Sim, SimMark>, SeenSim> = {
  seen(item) {
    const observed = observe(item, undefined, undefined);
    return { item, observed, shown: shownStatus(observed) };
  },
  moving: {
    isSame: sameSim,
    isTold: ({ dataLimit }, { status }, sim) => tellsLimit(dataLimit, { traffic: status?.traffic }, sim),
  },
  spec: {
    iccid: { in: 'spec', instead: 'A SIM keeps its ICCID: it is what the SIM is found by.' },
    passCodeSecretRef: { in: 'spec', instead: 'Sent once, to register the SIM.' },
    displayName: { in: 'name', instead: 'Documented: reported as `DisplayNameNotChangeable`; Extended: corrected.' },
    activated: { in: 'activated' },
    gatewayRef: { in: 'registered' },
    ipAddress: { in: 'ip' },
    imeiLock: {
      in: 'imeiLock',
      instead: 'Corrected. Only Extended shows to which IMEI it is locked; Documented shows whether it is locked.',
    },
    carriers: { in: 'carriers' },
    'dataLimit.monthly': { in: 'spec', instead: 'Each list is compared with it.' },
    'dataLimit.action': {
      in: 'spec',
      instead: 'A SIM over its limit that was activated again is deactivated, as any drift of `activated`.',
    },
    expectOnlineWithin: { in: 'spec', instead: 'Each list is compared with it; nothing is written for it.' },
  },
  status: {
    createdAt: identity,
    iccid: identity,
    imsi: list('imsi'),
    name: list('name'),
    ip: list('ip'),
    sessionStatus: list('sessionStatus'),
    registered: {
      from: 'list',
      isTold({ registered, gatewayID, applied }, { item: { status } }) {
        const { gateway } = applied ?? {};
        const isSame = isInGroup(gateway?.simGroupID, status?.simgroupID);
        // A SIM that is told to be on another gateway is so for as long as it is not back: of that one's group nothing is on record.
        const isElsewhere = gateway !== undefined && gatewayID !== undefined && gatewayID !== gateway.id;
        return registered === (status?.registered ?? false) && (isSame || isElsewhere);
      },
    },
    // Which gateway it is shows in the group of the SIM, beside `registered`.
    gatewayID: { from: 'list', isTold: () => true },
    activated: list('activated'),
    imeiLock: list('imeiLock'),
    connectedIMEI: list('connectedIMEI'),
    registeredAt: list('registeredAt'),
    activatedAt: list('activatedAt'),
    deactivatedAt: list('deactivatedAt'),
    carriers: details,
    availability: list('availability'),
    dataLimit: {
      from: 'list',
      isTold: ({ dataLimit }, { observed }, sim) => tellsLimit(dataLimit, observed, sim),
    },
    sessionDownSince: {
      from: 'list',
      isTold(status, { observed }, { spec }) {
        const since = sessionDownSince(spec, observed, status.sessionDownSince, 0);
        return since === status.sessionDownSince;
      },
    },
  },
};

/** What the service does not show, or did not before, contradicts nothing. */
function isInGroup(recorded: string | undefined, shown: string | undefined): boolean {
  return recorded === undefined || shown === undefined || recorded === shown;
}
