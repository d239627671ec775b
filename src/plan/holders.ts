import type { Change } from '../shadow/service/types.ts';
import { managedIn } from './accounts.ts';
import type { Holders } from './calls.ts';
import { type Objects, parseKey, textAt } from './objects.ts';
import type { Played } from './play.ts';

/** Who has what, by the statuses of resources before and after. */
export function holdersOf(
  before: readonly Objects[],
  changes: readonly Change[],
  objectAfter: Played['object'],
): Holders {
  const resources = new Map<string, string>();
  const certificates = new Map<string, string>();
  const kinds: Readonly<Record<string, string>> = { sims: 'sims', mobilegateways: 'gateways', webaccelsites: 'sites' };
  for (const { key, object } of before.flatMap(managedIn)) {
    const { plural, namespace, name } = parseKey(key);
    const now = textAt(objectAfter(plural, namespace, name), 'status', 'id');
    for (const id of [object.status?.id, now]) {
      if (id === undefined) continue;
      const kind = kinds[plural];
      if (kind === undefined) certificates.set(id, key);
      else resources.set(`${kind} ${id}`, key);
    }
  }
  const made = changes.flatMap(({ objects }) =>
    objects.flatMap((object) => (object.before === undefined ? [object.id] : [])),
  );
  return { resources, certificates, made: new Set(made) };
}
