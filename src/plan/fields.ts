import { isEqual } from '../kubernetes/merge-patch.ts';
import type { Change, ObjectChange } from '../shadow/service/types.ts';
import type { FieldChange } from './call.ts';
import { isAsBefore, isSecret, type NameOf, type Shown, shownOf } from './shown.ts';

const SECRET = '(secret)';
const OTHER_SECRET = '(another secret)';

/** Whether a value as it is shown stands for a secret. */
export function isSecretText(text: string | undefined): boolean {
  return text === SECRET || text === OTHER_SECRET;
}

/** Whether a call leaves everything as it is. Pure. */
export function isRepeated({ objects }: Pick<Change, 'objects'>): boolean {
  return objects.every(isAsBefore);
}

/** The fields of an object of the service that a change made others of, in the words of the spec. Pure. */
export function fieldsOf({ objects, route }: Pick<Change, 'objects' | 'route'>, nameOf: NameOf): FieldChange[] {
  return objects.flatMap((object) => fieldsOfObject(object, route, nameOf));
}

function fieldsOfObject(object: ObjectChange, route: string, nameOf: NameOf): FieldChange[] {
  const [before, after] = shownApart(object, nameOf);
  // What goes is not worth telling field by field.
  if (!object.after) return [];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    // Of settings, what is sent is what changes; that they take effect is the next call.
    if (route.endsWith('/config')) return [];
    const [was, is] = [before.get(field), after.get(field)];
    if (isEqual(was, is)) return [];
    // The service takes a SIM's routes with it. Which others are there then depends on what else goes at the same time.
    if (field === 'simRoutes' && route.startsWith('DELETE ')) {
      const left = listOf(is);
      const taken = listOf(was).filter((one) => !left.includes(one));
      return [{ field, before: textOf(taken), after: undefined }];
    }
    const isOther = was !== undefined && isSecret(is);
    return [{ field, before: textOf(was), after: isOther ? OTHER_SECRET : textOf(is) }];
  });
}

/** Both sides, by names; by IDs where the names are the same, as of a Sim that has got another SIM. */
function shownApart(change: ObjectChange, nameOf: NameOf): readonly [Shown, Shown] {
  const byName = [shownOf(change, 'before', nameOf), shownOf(change, 'after', nameOf)] as const;
  if (!isEqual([...byName[0]], [...byName[1]])) return byName;
  const asItIs = (id: string) => id;
  return [shownOf(change, 'before', asItIs), shownOf(change, 'after', asItIs)];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
