import { type SimSpec, simSpec } from '../../kinds/sim/schema.ts';
import { SecretValue } from '../../reconcile/secret-value.ts';
import { type Context, common, type Findings, findingsOf, noteUnknown, noteUnmanaged, noteUnseen } from './context.ts';
import { fitted } from './fit.ts';
import type { Converted } from './result.ts';
import type { Source } from './source.ts';

/** Short names of the provider, and the carriers' names at the service. */
const CARRIERS: Readonly<Record<string, string>> = { kddi: 'KDDI', softbank: 'SoftBank', docomo: 'NTT DOCOMO' };
/** The service lists these for every SIM, so what the state does not name is not allowed. */
const ALWAYS_LISTED = ['kddi', 'softbank'];

/** A Sim from `sakuracloud_sim`, with its place from the gateways of the state. Pure. */
export function simOf(source: Source, name: string, context: Context): Converted {
  const { attributes, id, address } = source;
  const notes = findingsOf(source);
  const passCode = attributes.text('passcode');
  const secretName = `${name}-pass-code`;
  const displayName = attributes.text('name');
  const activated = attributes.flag('enabled');
  const carriers = carriersOf(attributes.texts('carrier'), notes);
  const spec: SimSpec = {
    ...common(context, source),
    iccid: attributes.text('iccid') ?? '',
    resourceID: id,
    adoption: 'Required',
    ...(displayName !== undefined && { displayName }),
    ...(passCode !== undefined && { passCodeSecretRef: { name: secretName, key: 'passCode' } }),
    ...(activated !== undefined && { activated }),
    ...placeOf(source, context, notes),
    ...imeiLockOf(source, context, notes),
    ...(carriers.length > 0 && { carriers }),
  };
  noteUnmanaged(attributes, notes, ['description', 'tags', 'icon_id']);
  noteUnknown(attributes, notes);
  const fit = fitted(simSpec, spec, ['iccid', 'resourceID'], source);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  return {
    manifest: { kind: 'Sim', name, spec: fit.spec, from: [address] },
    secrets:
      passCode === undefined
        ? []
        : [{ name: secretName, type: 'Opaque', values: { passCode: new SecretValue(passCode) } }],
    findings: [...notes.findings, ...fit.findings],
  };
}

function carriersOf(allowed: readonly string[], { add }: Findings): NonNullable<SimSpec['carriers']> {
  if (allowed.length === 0) return [];
  if (allowed.some((one) => !Object.hasOwn(CARRIERS, one))) {
    add(
      'carrier',
      'it names a carrier that no release of the provider up to 2.36.1 has',
      'Add carriers to the manifest by their names at the service; until then they stay as they are.',
    );
    return [];
  }
  return Object.entries(CARRIERS).flatMap(([short, name]) => {
    const allow = allowed.includes(short);
    return allow || ALWAYS_LISTED.includes(short) ? [{ name, allow }] : [];
  });
}

/** What the gateways say is read with every refresh; what the SIM says may be older. */
function placeOf(source: Source, context: Context, { add }: Findings): Pick<SimSpec, 'gatewayRef' | 'ipAddress'> {
  const { attributes, id } = source;
  const said = attributes.text('mobile_gateway_id');
  attributes.pass('ip_address');
  const places = context.places.get(id) ?? [];
  const [place] = places;
  if (places.length > 1) {
    add(
      'mobile_gateway_id',
      'several gateways of the state have the SIM',
      'Refresh the state (terraform apply -refresh-only) and run this again; until then it stays on its gateway.',
    );
    return {};
  }
  const gatewayID = place?.gatewayID ?? said;
  if (gatewayID === undefined) return {};
  const name = context.gateways.get(gatewayID);
  if (place && name !== undefined) {
    return { gatewayRef: { name }, ...(place.ip !== undefined && { ipAddress: place.ip }) };
  }
  if (name === undefined) {
    add(
      'mobile_gateway_id',
      `the gateway ${gatewayID} is not carried over`,
      `Make a MobileGateway with resourceID ${gatewayID} and its zone, and name it in gatewayRef of this Sim, with ipAddress; until then it stays where it is.`,
    );
    return {};
  }
  add(
    'mobile_gateway_id',
    `the gateway ${gatewayID} of the state does not have the SIM`,
    'Refresh the state (terraform apply -refresh-only) and run this again; until then it stays where it is.',
  );
  return {};
}

function imeiLockOf({ attributes }: Source, { options }: Context, notes: Findings): Pick<SimSpec, 'imeiLock'> {
  const imeiLock = attributes.text('imei');
  if (imeiLock === undefined) return {};
  if (options.dialect === 'Extended' || options.sendUnseen) return { imeiLock };
  noteUnseen(notes, 'imei', 'the IMEI in the Documented dialect');
  return {};
}
