import { type KindDefinition, resourceOf } from '../../../src/kubernetes/crd.ts';
import { EVENTS, LEASES, NAMESPACES, pathOf, type Resource, SECRETS } from '../../../src/kubernetes/resource.ts';
import type { ApiserverRequest } from '../../../src/shadow/apiserver/apiserver.ts';
import { allDefinitions } from '../../support/definitions.ts';
import type { Known, KnownObject } from './known.ts';
import type { Chances } from './random.ts';

/** May do everything. */
export const ADMIN = 'admin';
/** May do nothing. */
export const NOBODY = 'nobody';

/** Where a sequence takes place. */
export interface Place {
  readonly namespace: string;
  /** Begins the names of what is in no namespace. */
  readonly prefix: string;
}

/** A kind that requests are about. */
export interface Subject {
  readonly resource: Resource;
  /** Of those that are not built in. */
  readonly definition: KindDefinition | undefined;
}

export const subjects: readonly [Subject, ...Subject[]] = [
  { resource: LEASES, definition: undefined },
  { resource: SECRETS, definition: undefined },
  { resource: EVENTS, definition: undefined },
  { resource: NAMESPACES, definition: undefined },
  ...allDefinitions.map((definition) => ({ resource: resourceOf(definition), definition })),
];

/** What a request is made from. */
export interface Parts extends Subject {
  readonly name: string;
  readonly random: Chances;
  readonly place: Place;
}

/** Makes a request from what was answered so far. All chances were taken before: both sides are asked the same. */
export type Make = (known: Known) => Omit<ApiserverRequest, 'user'>;

export function pathTo({ resource, place }: Parts, name?: string, subresource?: string): string {
  return pathOf(resource, place.namespace, name, subresource);
}

/** The object as it was answered last; with an age, as it was so many answers earlier. */
export function versionOf(known: Known, plural: string, name: string, age: number): KnownObject | undefined {
  return known.versions(plural, name).at(-1 - age);
}
