import type { Blame } from '../../cloud/http/blame.ts';
import type { Circuit } from '../../cloud/http/circuit.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';
import type { Changes } from './changes.ts';
import type { Deletions } from './deletions.ts';
import type { CloudLists } from './lists.ts';
import type { Member } from './members.ts';
import type { Recorder } from './recorder.ts';
import type { Tries } from './tries.ts';

/** What accounts that are one at the service share. */
export interface Shared {
  readonly identity: string;
  readonly limiter: Limiter;
  readonly blame: Blame;
  readonly lists: CloudLists;
  readonly changes: Changes;
  readonly deletions: Deletions;
  /** By credentials: that one account's are refused says nothing of another's. */
  readonly circuits: Map<string, Circuit>;
  readonly accounts: Map<string, Member>;
  readonly tries: Tries;
  readonly recorder: Recorder;
}

/** The accounts (keys) of an identity whose credentials the service took. */
export const verifiedOf = (entry: Shared): string[] => keysWhere(entry, ({ session }) => session.verified);

/** The accounts (keys) of an identity of which this holds. */
export function keysWhere(entry: Shared, holds: (member: Member) => boolean): string[] {
  return [...entry.accounts].flatMap(([key, member]) => (holds(member) ? [key] : []));
}
