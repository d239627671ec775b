import { EVENTS } from '../../kubernetes/resource.ts';
import type { Kind, KindName, Target } from '../kinds.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';
import { type Change, changesIn, type StoredEvent } from './told.ts';

/** `reportingController` of the operator's Events. */
const CONTROLLER = 'edgeline.dev/operator';

/** The changes told of these targets since a moment (milliseconds since the epoch). Throws `ClusterError`. */
export async function readChanges(
  session: Session,
  asked: { readonly targets: readonly Target[]; readonly selector: string | undefined; readonly after: number },
): Promise<Change[]> {
  const { targets, selector, after } = asked;
  const kinds = [...new Set(targets.flatMap((target) => target.kinds))];
  const events = await session.list<StoredEvent>(EVENTS, session.namespace, { fieldSelector: fieldsOf(targets) });
  const labelled = selector === undefined ? undefined : await uidsWith(session, kinds, selector);
  const wanted = events.filter(
    ({ regarding }) =>
      (labelled === undefined || labelled.has(regarding?.uid ?? '')) &&
      targets.some(
        ({ kinds: of, name }) =>
          of.some(({ kind }) => kind === regarding?.kind) && (name === undefined || name === regarding?.name),
      ),
  );
  return changesIn(wanted, { kinds: kinds.map(({ kind }): KindName => kind), after });
}

/** Of one object the apiserver picks the events, of others all of the operator's are read. */
function fieldsOf(targets: readonly Target[]): string {
  const [first, ...rest] = targets;
  const name = rest.length === 0 ? first?.name : undefined;
  return [`reportingController=${CONTROLLER}`, ...(name === undefined ? [] : [`regarding.name=${name}`])].join(',');
}

async function uidsWith(session: Session, kinds: readonly Kind[], labelSelector: string): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    kinds.map((kind) => session.list<Reported>(kind, session.namespace, { labelSelector })),
  );
  return new Set(lists.flatMap((list) => list.map(({ metadata }) => metadata.uid)));
}
