import type { SiteView } from '../../../../src/shadow/service/types.ts';
import type { Version } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { type FieldReading, isInSpec } from './sim.ts';

/** What may leave an origin while the rest of it stays; it goes back to its default then. */
export const originMembers: readonly FieldReading<SiteView>[] = [
  {
    field: 'origin.webServer.hostHeader',
    applied: ['hostHeader'],
    part: ({ settings }) => settings.HostHeader,
    holds: (_, __, { spec }, { settings }) => settings.HostHeader === textAt(spec, 'origin', 'webServer', 'hostHeader'),
    isUnset: ({ settings }) => settings.HostHeader === '',
  },
  {
    field: 'origin.webServer.protocol',
    applied: ['originProtocol'],
    part: ({ settings }) => settings.OriginProtocol,
    holds: (_, __, { spec }, { settings }) =>
      settings.OriginProtocol === textAt(spec, 'origin', 'webServer', 'protocol')?.toLowerCase(),
    isUnset: ({ settings }) => settings.OriginProtocol === 'http',
  },
  {
    field: 'origin.objectStorage.documentIndex',
    applied: ['documentIndex'],
    part: ({ settings }) => settings.DocIndex,
    holds: (_, __, { spec }, { settings }) =>
      (settings.DocIndex === 1) === at(spec, 'origin', 'objectStorage', 'documentIndex'),
    isUnset: ({ settings }) => settings.DocIndex === 0,
  },
];

/** Since when the origin has been of the type it is of now, by its versions: what was asked of another went with it. */
export function versionsOfType(versions: readonly Version[], field: string): readonly Version[] {
  const type = field.split('.').slice(0, 2).join('.');
  return versions.slice(versions.findLastIndex((version) => !isInSpec(version, type)) + 1);
}
