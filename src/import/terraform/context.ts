import type { Attributes } from './attributes.ts';
import type { AccountRef, ConvertOptions, Finding } from './result.ts';
import type { Source } from './source.ts';

/** What a converter of one resource sees of the others. */
export interface Context {
  readonly options: ConvertOptions;
  /** Names of manifests by the ID at the service. */
  readonly sims: ReadonlyMap<string, string>;
  readonly gateways: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  /** Where each SIM is, by its ID, as the gateways of the state say. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
}

/** A SIM on a gateway. */
export interface Place {
  readonly gatewayID: string;
  readonly ip: string | undefined;
}

/** The fields of a spec that come from the command line. */
export function common(
  { options }: Context,
  { alias }: Source,
): { readonly accountRef?: AccountRef; readonly managementPolicy?: 'Observe' } {
  const accountRef = options.accountOf(alias);
  return { ...(accountRef && { accountRef }), ...(options.observe && { managementPolicy: 'Observe' as const }) };
}

/** Collects what is not carried over of one resource. */
export function findingsOf({ address }: Pick<Source, 'address'>) {
  const findings: Finding[] = [];
  return {
    findings,
    add(attribute: string, why: string, advice: string): void {
      findings.push({ address, attribute, why, advice });
    },
  };
}

export type Findings = ReturnType<typeof findingsOf>;

const STAYS = 'Nothing: it stays at the service as it is, and Edgeline leaves it alone.';

/** What Edgeline has no field for. */
export function noteUnmanaged(attributes: Attributes, { add }: Findings, names: readonly string[]): void {
  for (const name of names) {
    if (attributes.has(name)) add(name, 'Edgeline does not manage it', STAYS);
    attributes.pass(name);
  }
}

/** What nobody asked for: the last thing a converter does. */
export function noteUnknown(attributes: Attributes, { add }: Findings): void {
  for (const name of attributes.unread()) {
    add(
      name,
      'no release of the provider up to 2.36.1 has this attribute, or its value is of another type there',
      'Look at what it says, and whether the manifest needs it; at the service nothing changes.',
    );
  }
}

/** What the service does not show can't be compared: whether it is carried over is the caller's choice. */
export function noteUnseen({ add }: Findings, attribute: string, what: string): void {
  add(
    attribute,
    `the service does not show ${what}: the operator would send what the manifest says once, which is a write`,
    'Nothing, if it may stay as it is; with --send-unseen it is carried over.',
  );
}
