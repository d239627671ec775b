import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { type AccountHold, AccountReason } from './reasons.ts';

/** So many of what uses an account are named. */
const MOST_NAMED = 5;

/**
 * Why an account that is being deleted stays: `users` (keys) need it. `trouble` is what else there is to say of it: without its
 * Secret, what uses it may not be able to go. Pure.
 */
export function holdInUse(key: ObjectKey, users: readonly ObjectKey[], trouble: AccountHold | undefined): AccountHold {
  const named = users.slice(0, MOST_NAMED).map((user) => {
    const { kind, namespace, name } = parseKey(user);
    return `${kind} ${namespace}/${name}`;
  });
  const more = users.length > MOST_NAMED ? ', …' : '';
  const { kind, namespace, name } = parseKey(key);
  const place = namespace === '' ? '' : `-n ${namespace} `;
  const keep = `kubectl patch ${place}${kind.toLowerCase()} ${name} --type merge -p '{"metadata":{"finalizers":null}}'`;
  const besides = trouble ? `. Of the account itself: ${trouble.message}` : '';
  return {
    state: 'Waiting',
    reason: AccountReason.InUse,
    message: `The account can't be deleted while it is in use by ${countedResources(users.length)}: ${named.join(', ')}${more}. Delete what uses it first; or, to keep the account, apply it again after this: ${keep}${besides}`,
  };
}

export function countedResources(resources: number): string {
  return resources === 1 ? '1 resource' : `${resources} resources`;
}
