import { fitted } from '../import/terraform/fit.ts';
import type { Converted } from '../import/terraform/result.ts';
import { type SimSpec, simSpec } from '../kinds/sim/schema.ts';
import {
  addressOf,
  type Context,
  common,
  displayNameOf,
  type Findings,
  findingsOf,
  noteUnmanaged,
  unnamed,
} from './context.ts';
import type { SeenSim } from './picture.ts';

/** More than a manifest can hold. */
const MOST_CARRIERS = 16;

/** A Sim that is as the SIM is. Pure. */
export function simOf(seen: SeenSim, name: string, context: Context): Converted {
  const { item } = seen;
  const { status } = item;
  const address = addressOf('SIM', item);
  const notes = findingsOf(address);
  if (!status) notes.add('activated', 'the list did not show its status', 'Run this again.');
  const spec: SimSpec = {
    ...common(context.options),
    iccid: item.iccid || (status?.iccid ?? ''),
    resourceID: item.id,
    adoption: 'Required',
    ...displayNameOf(item.name, notes),
    ...(status && { activated: status.activated }),
    ...placeOf(seen, context, notes),
    ...imeiLockOf(seen, notes),
    ...carriersOf(seen, notes),
  };
  noteUnmanaged(item, notes);
  const fit = fitted(simSpec, spec, ['iccid', 'resourceID'], { address }, unnamed);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  return {
    manifest: { kind: 'Sim', name, spec: fit.spec, from: [address] },
    secrets: [],
    findings: [...notes.findings, ...fit.findings],
  };
}

function placeOf(
  { item }: SeenSim,
  { places, gateways }: Context,
  { add }: Findings,
): Pick<SimSpec, 'gatewayRef' | 'ipAddress'> {
  if (!item.status?.registered) return {};
  const [gatewayID, another] = places.get(item.id) ?? [];
  if (gatewayID === undefined || another !== undefined) {
    add(
      'gatewayRef',
      another === undefined ? 'no gateway that was looked at has the SIM' : 'several gateways have the SIM',
      'Write gatewayRef and ipAddress into the manifest by hand, or run this again; until then it stays where it is.',
    );
    return {};
  }
  const name = gateways.get(gatewayID);
  if (name === undefined) {
    add(
      'gatewayRef',
      `its gateway ${gatewayID} is not among what is exported`,
      `Export the gateway, too, or make a MobileGateway with resourceID ${gatewayID} and name it in gatewayRef, with ipAddress; until then it stays where it is.`,
    );
    return {};
  }
  const { ip } = item.status;
  return { gatewayRef: { name }, ...(ip !== undefined && ip !== '' && { ipAddress: ip }) };
}

function imeiLockOf({ item }: SeenSim, { add }: Findings): Pick<SimSpec, 'imeiLock'> {
  if (!item.status?.imeiLock) return {};
  const { imei } = item.status;
  if (imei !== undefined && imei !== '') return { imeiLock: imei };
  add(
    'imeiLock',
    'the service does not show the IMEI that the SIM is locked to',
    'Nothing, if it may stay locked as it is; else write imeiLock into the manifest, which is sent once.',
  );
  return {};
}

function carriersOf({ carriers = [] }: SeenSim, { add }: Findings): Pick<SimSpec, 'carriers'> {
  if (carriers.length === 0) return {};
  const isFit = carriers.length <= MOST_CARRIERS && carriers.some(({ allow }) => allow);
  if (isFit) return { carriers: carriers.map(({ name, allow }) => ({ name, allow })) };
  add(
    'carriers',
    carriers.length > MOST_CARRIERS ? `they are more than ${MOST_CARRIERS}` : 'the SIM may use none of them',
    'Write those that matter into the manifest; until then they stay as they are.',
  );
  return {};
}
