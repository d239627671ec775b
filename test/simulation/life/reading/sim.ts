import type { SimView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation, Version } from '../intent.ts';
import { at, listAt, same, sorted, textAt } from '../json.ts';
import type { Scene } from '../scene.ts';
import { idsOf } from './claim.ts';

/** How one field of a spec shows at the service. */
export interface FieldReading<V> {
  /** As the spec has it. */
  readonly field: string;
  /** As `status.applied` and `status.pending` name it. */
  readonly applied: readonly string[];
  /** What of the object it is about: when this changes, the field was written. */
  readonly part: (view: V) => unknown;
  /** The object is as the version asks; asked only where the spec has the field. */
  readonly holds: (scene: Scene, incarnation: Incarnation, version: Version, view: V, since: number) => boolean;
  /** The object is as removing the field leaves it; `before`: as it was; `name`: that of the resource. */
  readonly isUnset: (view: V, before: V, name: string) => boolean;
}

/** `field`: a member of the spec, or one deeper, with dots between. */
export function isInSpec({ spec }: Version, field: string): boolean {
  return at(spec, ...field.split('.')) !== undefined;
}

/** A Sim's fields, as docs/reference/fields.md describes them. */
export const simReadings: readonly FieldReading<SimView>[] = [
  {
    field: 'displayName',
    applied: ['displayName'],
    part: ({ name }) => name,
    holds: (_, __, { spec }, { name }) => name === spec['displayName'],
    isUnset: (view, _, name) => view.name === name,
  },
  {
    field: 'activated',
    applied: ['activated'],
    part: ({ activated }) => activated,
    holds: (_, __, { spec }, { activated }) => activated === spec['activated'],
    isUnset: ({ activated }) => !activated,
  },
  {
    field: 'gatewayRef',
    applied: ['gateway'],
    part: ({ gatewayID }) => gatewayID,
    holds: (scene, { namespace }, { spec }, { gatewayID }, since) =>
      gatewayID !== null &&
      idsOf(scene, 'mobilegateways', namespace, textAt(spec, 'gatewayRef', 'name') ?? '', since).has(gatewayID),
    isUnset: ({ gatewayID }) => gatewayID === null,
  },
  {
    field: 'ipAddress',
    applied: ['ipAddress'],
    part: ({ ip }) => ip,
    holds: (_, __, { spec }, { ip }) => ip === spec['ipAddress'],
    isUnset: ({ ip }) => ip === null,
  },
  {
    field: 'imeiLock',
    applied: ['imeiLock'],
    part: ({ imeiLock }) => imeiLock,
    holds: (_, __, { spec }, { imeiLock }) => imeiLock === spec['imeiLock'],
    isUnset: ({ imeiLock }) => imeiLock === null,
  },
  {
    field: 'carriers',
    applied: ['carriers'],
    part: ({ carriers }) => sorted(carriers),
    holds: (_, __, { spec }, { carriers }) =>
      listedCarriers(spec).every((wanted) => carriers.some((one) => same(one, wanted))),
    isUnset: ({ carriers }) => carriers.every(({ allow }) => allow),
  },
];

export function listedCarriers(spec: Version['spec']): { readonly name: string; readonly allow: boolean }[] {
  return listAt(spec, 'carriers').map((carrier) => ({
    name: textAt(carrier, 'name') ?? '',
    allow: at(carrier, 'allow') === true,
  }));
}
