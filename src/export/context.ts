import type { DialectName } from '../cloud/dialect.ts';
import type { AccountRef, Finding } from '../import/terraform/result.ts';

/** What the caller decides. */
export interface ExportOptions {
  /** The account that manifests refer to; undefined: they name none. */
  readonly accountRef: AccountRef | undefined;
  readonly observe: boolean;
  readonly dialect: DialectName;
}

/** What a converter of one resource sees of the others. */
export interface Context {
  readonly options: ExportOptions;
  /** Names of manifests by the ID at the service. */
  readonly sims: ReadonlyMap<string, string>;
  readonly gateways: ReadonlyMap<string, string>;
  readonly sites: ReadonlyMap<string, string>;
  /** The gateways that have a SIM, by its ID. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

/** The fields of a spec that come from the command line. */
export function common({ accountRef, observe }: ExportOptions): {
  readonly accountRef?: AccountRef;
  readonly managementPolicy?: 'Observe';
} {
  return { ...(accountRef && { accountRef }), ...(observe && { managementPolicy: 'Observe' as const }) };
}

/** Collects what a manifest does not have of one resource. */
export function findingsOf(address: string) {
  const findings: Finding[] = [];
  return {
    findings,
    add(
      attribute: string,
      why: string,
      advice = 'Nothing: it stays at the service as it is, and Edgeline leaves it alone.',
    ) {
      findings.push({ address, attribute, why, advice });
    },
  };
}

export type Findings = ReturnType<typeof findingsOf>;

const LONGEST_NAME = 64;

/** The name at the service, where a manifest can have it. */
export function displayNameOf(name: string, { add }: Findings): { readonly displayName?: string } {
  if (name === '') return {};
  if (name.length <= LONGEST_NAME && !/[\p{Cc}\u2028\u2029]/u.test(name)) return { displayName: name };
  add('displayName', 'the name is longer than 64 characters, or more than one line');
  return {};
}

/** What is at the service and has no field. */
export function noteUnmanaged(
  { description, tags }: { readonly description?: string; readonly tags: readonly string[] },
  { add }: Findings,
): void {
  if (description !== undefined && description !== '') add('description', 'Edgeline does not manage it');
  if (tags.length > 0) add('tags', 'Edgeline does not manage it');
}

/** Said where a resource has nothing that a manifest can name it by. */
export const unnamed = {
  where: 'the service',
  advice: 'Look at it in the control panel, and write the manifest by hand.',
};

/** `SIM 113300000017 (truck-17)`. */
export function addressOf(what: string, { id, name }: { readonly id: string; readonly name: string }): string {
  return name === '' ? `${what} ${id}` : `${what} ${id} (${name})`;
}
