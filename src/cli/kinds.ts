import type { Resource } from '../kubernetes/resource.ts';
import { nearest } from '../text.ts';
import { UsageError } from './errors.ts';
import { kindFacts } from './facts.ts';

/** The name of a kind. */
export type KindName = (typeof kindFacts)[number]['kind'];

/** A kind of Edgeline, as commands know it. */
export interface Kind extends Resource {
  readonly kind: KindName;
  /** How it is named where commands print it, and may be typed: `sim`, `mobilegateway`. */
  readonly singular: string;
  readonly names: readonly string[];
}

/** Short words that `kubectl` does not know; accounts of both kinds are `account`. */
const words: Readonly<Record<KindName, readonly string[]>> = {
  CloudAccount: ['account', 'accounts'],
  ClusterCloudAccount: ['account', 'accounts'],
  Sim: [],
  MobileGateway: ['gateway', 'gateways'],
  WebAccelSite: ['site', 'sites'],
  SiteCertificate: ['certificate', 'certificates'],
};

/** All kinds, in the order in which they are shown: what others depend on first. */
export const kinds: readonly Kind[] = kindFacts.map(({ group, version, plural, kind, namespaced, ...names }) => ({
  group,
  version,
  plural,
  kind,
  namespaced,
  singular: names.singular,
  names: [
    ...new Set([
      names.singular,
      plural,
      ...names.shortNames,
      ...words[kind],
      `${names.singular}.${group}`,
      `${plural}.${group}`,
    ]),
  ],
}));

/** The kind of that name. */
export function kindOf(name: KindName): Kind {
  const found = kinds.find(({ kind }) => kind === name);
  if (!found) throw new Error(`there is no kind ${name}`);
  return found;
}

/** What an argument `KIND[/NAME]` asks for: of each of these kinds all, or the one of that name. */
export interface Target {
  readonly kinds: readonly Kind[];
  readonly name: string | undefined;
}

/** Reads `KIND[/NAME]`. Throws `UsageError` with what to write instead. */
export function parseTarget(text: string): Target {
  const [word = '', name, ...rest] = text.split('/');
  const wanted = word.toLowerCase();
  const found = kinds.filter(({ names }) => names.includes(wanted));
  if (found.length === 0) {
    const all = kinds.flatMap(({ names }) => names.filter((one) => !one.includes('.')));
    throw new UsageError(
      `there is no kind "${word}"`,
      `Did you mean ${nearest(wanted, all)}? The kinds: ${[...new Set(kinds.flatMap(({ names }) => names.slice(0, 1)))].join(', ')}.`,
    );
  }
  if (rest.length > 0 || name === '')
    throw new UsageError(`"${text}" names no object`, 'Write KIND or KIND/NAME, for example sim or sim/truck-17.');
  return { kinds: found, name };
}
