import type { Resource } from '../kubernetes/resource.ts';
import { distance, nearest } from '../text.ts';
import { UsageError } from './errors.ts';
import { kindFacts } from './facts.ts';
import { harmless } from './text/harmless.ts';

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
      `${plural}.${version}.${group}`,
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

/** The name of an object of any of these kinds (RFC 1123): nothing else is asked of a cluster. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const LONGEST_NAME = 253;

/** Reads `KIND[/NAME]`. Throws `UsageError` with what to write instead. */
export function parseTarget(text: string): Target {
  const [word = '', name, ...rest] = text.split('/');
  const found = kindsNamed(word);
  if (found.length === 0) throw new UsageError(`there is no kind "${harmless(word)}"`, adviceFor(word));
  if (rest.length > 0 || name === '')
    throw new UsageError(
      `"${harmless(text)}" names no object`,
      'Write KIND or KIND/NAME, for example sim or sim/truck-17.',
    );
  if (name !== undefined && (!NAME.test(name) || name.length > LONGEST_NAME))
    throw new UsageError(
      `"${harmless(name)}" is not the name of an object`,
      'Names are lowercase letters, digits, hyphens and dots; several objects are written as sim/truck-17 sim/truck-18.',
    );
  return { kinds: found, name };
}

/** Reads all arguments of one command line. Throws `UsageError`; of `KIND NAME`, as kubectl takes it, with how to write it here. */
export function parseTargets(texts: readonly string[]): Target[] {
  return texts.map((text, index) => {
    const before = texts[index - 1];
    const isName =
      before !== undefined && kindsNamed(before).length > 0 && kindsNamed(text).length === 0 && NAME.test(text);
    if (isName)
      throw new UsageError(`there is no kind "${text}"`, `If it is the name of an object, write ${before}/${text}.`);
    return parseTarget(text);
  });
}

function kindsNamed(word: string): Kind[] {
  const wanted = word.toLowerCase();
  return kinds.filter(({ names }) => names.includes(wanted));
}

/** What is hardly like any kind is no slip of the fingers, and gets no guess. */
function adviceFor(word: string): string {
  const wanted = word.toLowerCase();
  const parts = wanted.split(',');
  if (parts.length > 1 && parts.every((part) => kindsNamed(part).length > 0))
    return `Write the kinds apart: ${parts.join(' ')}.`;
  const meant = nearest(
    wanted,
    kinds.flatMap(({ names }) => names.filter((one) => !one.includes('.'))),
  );
  const isSlip =
    meant !== undefined && wanted !== '' && distance(wanted.slice(0, 64), meant) <= Math.max(2, meant.length / 3);
  const all = `The kinds: ${kinds.map(({ singular }) => singular).join(', ')}.`;
  return isSlip ? `Did you mean ${meant}? ${all}` : `Write KIND or KIND/NAME, for example sim or sim/truck-17. ${all}`;
}
