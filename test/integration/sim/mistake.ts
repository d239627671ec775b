import type { World, WorldOptions } from '../../support/world.ts';

/** What a person gets to see. Names are those of the documentation: namespace `fleet`, service `https://api.example.jp`. */
export type Sees =
  /** What kubectl prints; nothing is stored. */
  | { readonly kubectl: string }
  /** A condition of a resource: of Ready=False unless another one tells it. */
  | {
      readonly on: readonly [kind: string, name: string];
      readonly type?: 'Ready' | 'Synced';
      /** False unless it works all the same, and only says what is odd. */
      readonly status?: 'True';
      readonly reason: string;
      readonly message: string;
    };

/** One mistake: a row of docs/mistakes.md, and a test at a real apiserver. */
export interface Mistake {
  readonly title: string;
  /** What was written, as far as it matters: part of a manifest, or a command. */
  readonly wrote: string;
  /** The whole manifest it stands for, applied with kubectl; without it `act` does what was written. */
  readonly manifest?: string;
  /** What the test does where no manifest says it. */
  readonly act?: (world: World) => Promise<unknown>;
  /** What is there before. */
  readonly world?: WorldOptions;
  readonly before?: (world: World) => Promise<unknown>;
  readonly sees: Sees;
  /** What to do. */
  readonly remedy: string;
  /** The test does what `remedy` says; then everything named is Ready. */
  readonly mend?: (world: World) => Promise<unknown>;
  readonly mended?: readonly (readonly [kind: string, name: string])[];
  /** The hosts the operator is started with as `--allowed-hosts`. */
  readonly allowedHosts?: readonly string[];
}

/** A chapter of docs/mistakes.md. */
export interface Chapter {
  readonly title: string;
  readonly about: string;
  readonly mistakes: readonly Mistake[];
}

export const ICCID = '8981040000000000017';
/** Host and scheme of the service as the documentation has it. */
export const SERVICE = 'https://api.example.jp';
/** A port that speaks plain HTTP. */
export const PLAIN = 'https://plain.example.jp';

/** A Sim with this part in its spec, and as little else as it needs. */
export function sim(part: string, name = 'truck-17'): Required<Pick<Mistake, 'wrote' | 'manifest'>> {
  return { wrote: part, manifest: object('Sim', name, part, { iccid: `"${ICCID}"` }) };
}

/** A CloudAccount `default` with this part in its spec. */
export function account(part: string): Required<Pick<Mistake, 'wrote' | 'manifest'>> {
  return { wrote: part, manifest: object('CloudAccount', 'default', part, accountDefaults) };
}

const accountDefaults = {
  baseURL: SERVICE,
  credentialsSecretRef: '{name: service-credentials}',
  caBundleSecretRef: '{name: service-ca, key: ca.crt}',
};

/** A manifest whose spec is this part, and of the rest what the part does not say. */
export function object(kind: string, name: string, part: string, defaults: Readonly<Record<string, string>>): string {
  const lines = part.split('\n').filter((line) => !line.startsWith('#'));
  const missing = Object.entries(defaults).filter(([key]) => !lines.some((line) => line.startsWith(`${key}:`)));
  const spec = [...missing.map(([key, value]) => `${key}: ${value}`), ...lines].filter((line) => line !== '');
  const metadata = `metadata: {name: ${name}}`;
  return `apiVersion: edgeline.dev/v1alpha1\nkind: ${kind}\n${metadata}\nspec:\n${spec.map((line) => `  ${line}`).join('\n')}\n`;
}
