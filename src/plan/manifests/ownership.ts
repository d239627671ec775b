import { isMembers, memberAt, type ObjectJson } from '../objects.ts';

/** Where `kubectl apply` keeps what it applied last. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The members that somebody owns, as a tree; `true`: all that is there, as of a value or a list. */
export interface Owned {
  readonly [name: string]: Owned | true;
}

/** Whoever wrote members of an object, as `metadata.managedFields` says. */
export interface Manager {
  readonly name: string;
  readonly isApply: boolean;
  readonly owned: Owned;
  /** It wrote the annotation in which kubectl keeps what it applied on the side of the client. */
  readonly appliedByClient: boolean;
}

/** The managers of an object, but for those of its status. Lists count as wholes. Pure. */
export function managersOf(live: ObjectJson): Manager[] {
  const managed = memberAt(live, 'metadata', 'managedFields');
  return (Array.isArray(managed) ? managed : []).flatMap((entry): Manager[] => {
    if (memberAt(entry, 'subresource') !== undefined) return [];
    const fields = memberAt(entry, 'fieldsV1');
    const isApply = memberAt(entry, 'operation') === 'Apply';
    const name = memberAt(entry, 'manager');
    return [
      {
        name: typeof name === 'string' ? name : '',
        isApply,
        owned: ownedIn(fields),
        appliedByClient: !isApply && memberAt(fields, 'f:metadata', 'f:annotations', `f:${LAST_APPLIED}`) !== undefined,
      },
    ];
  });
}

function ownedIn(fields: unknown): Owned {
  if (!isMembers(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => key.startsWith('f:'))
      .map(([key, below]) => {
        const isMap = isMembers(below) && Object.keys(below).some((inner) => inner.startsWith('f:'));
        return [key.slice(2), isMap ? ownedIn(below) : true];
      }),
  );
}

/** What of a tree is below a member; of what is owned whole, each member is. */
export function below(owned: Owned | true | undefined, name: string): Owned | true | undefined {
  return owned === true || owned === undefined ? owned : owned[name];
}

/** What several own between them. */
export function together(trees: readonly Owned[]): Owned {
  const all: Record<string, Owned | true> = {};
  for (const tree of trees) {
    for (const [name, value] of Object.entries(tree)) {
      const known = all[name];
      all[name] =
        known === undefined || known === true || value === true
          ? known === true
            ? true
            : value
          : together([known, value]);
    }
  }
  return all;
}
