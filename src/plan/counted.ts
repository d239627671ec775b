import { accountKeyOf, managedIn } from './accounts.ts';
import { type Objects, parseKey } from './objects.ts';

/**
 * What a brake counts beside the resources that a plan is about, by `keyOf`: it allows a share of all that a namespace has in
 * an account, and without those that stay would hold what is let through. Pure.
 */
export function countedBeside(objects: Objects, concerned: ReadonlySet<string>): Set<string> {
  const all = managedIn(objects)
    // As in `braked` of the kinds: nothing else is deleted at the service.
    .filter(({ key }) => ['sims', 'mobilegateways'].includes(parseKey(key).plural))
    .map(({ key, object }) => ({
      key,
      isGoing: concerned.has(key) && object.metadata.deletionTimestamp !== undefined,
      among: `${object.metadata.namespace} ${accountKeyOf(object, objects.accounts)}`,
    }));
  const going = new Set(all.filter(({ isGoing }) => isGoing).map(({ among }) => among));
  return new Set(all.filter(({ key, among }) => going.has(among) && !concerned.has(key)).map(({ key }) => key));
}
