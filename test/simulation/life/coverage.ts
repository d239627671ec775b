import type { Moment } from '../../../src/shadow/world/messages.ts';
import type { StatePatch } from '../../../src/simulator/control/patch.ts';
import type { MessageFault } from './script.ts';

/** How often what befell which operation, and what else happened: by `fault × operation`, `kill × operation` and act. */
export type Counts = Readonly<Record<string, number>>;

/** What a life met with. */
export interface Coverage {
  /** A fault struck a message. */
  struck(fault: MessageFault, route: string): void;
  /** A process was killed at this moment of a message. */
  killed(moment: Moment, route: string): void;
  /** Something that users, people or chance did. */
  acted(what: string): void;
  /** People changed these members of what is at the service. */
  edited(patch: StatePatch): void;
  readonly counts: Counts;
}

/** Between the parts of a key. */
const BY = ' × ';

export function createCoverage(): Coverage {
  const counts: Record<string, number> = {};
  const count = (key: string): void => addCoverage(counts, { [key]: 1 });
  return {
    struck: (fault, route) => count(struckKey(fault, route)),
    killed: (moment, route) => count(killKey(moment, route)),
    acted: (what) => count(actKey(what)),
    edited(patch) {
      for (const member of membersOf(patch)) count(editKey(member));
    },
    counts,
  };
}

/** What a fault is counted as that struck an operation. */
export function struckKey(fault: MessageFault, route: string): string {
  return ['fault', faultName(fault), route].join(BY);
}

/** What a kill is counted as. */
export function killKey(moment: Moment, route: string): string {
  return ['kill', moment, route].join(BY);
}

/** What an act is counted as that takes the permissions for a resource. */
export function denialOf(resource: string): string {
  return `deny ${resource}`;
}

/** What an act is counted as. */
export function actKey(what: string): string {
  return ['act', what].join(BY);
}

/** What a change of a member at the control panel is counted as, such as `sites.BucketName`. */
export function editKey(member: string): string {
  return ['edit', member].join(BY);
}

/** The members that a patch changes, settings by their own names. */
function membersOf(patch: StatePatch): string[] {
  return Object.entries(patch).flatMap(([kind, objects]) =>
    Object.values(objects ?? {}).flatMap(({ settings, ...rest }: Readonly<Record<string, unknown>>) => [
      ...Object.keys(rest).map((name) => `${kind}.${name}`),
      ...Object.keys(Object(settings)).map((name) => `${kind}.${name}`),
    ]),
  );
}

/** One word or a few. */
export function faultName(fault: MessageFault): string {
  return typeof fault === 'string' ? fault : 'service' in fault ? fault.service : `${fault.kubernetes}`;
}

/** Adds counts to others. */
export function addCoverage(sum: Record<string, number>, more: Counts): void {
  for (const [key, count] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + count;
}

/** Where faults and kills struck how often: a line for each operation, a column for each of what befell it. */
export function coverageTable(sum: Counts): string {
  const cells = Object.entries(sum).map(([key, count]) => ({ parts: key.split(BY), count }));
  const tables = ['fault', 'kill'].map((kind) => {
    const found = cells.filter(({ parts }) => parts[0] === kind);
    const columns = [...new Set(found.map(({ parts }) => parts[1] ?? ''))].toSorted();
    const rows = [...new Set(found.map(({ parts }) => parts[2] ?? ''))].toSorted();
    const lines = rows.map((row) => {
      const counts = columns.map((_, index) => {
        const key = [kind, columns[index], row].join(BY);
        return String(sum[key] ?? '·').padStart(4);
      });
      return `${counts.join(' ')}  ${row}`;
    });
    const names = columns.map((column, index) => `${`${index + 1}`.padStart(4)} ${column}`);
    const head = columns.map((_, index) => `${index + 1}`.padStart(4)).join(' ');
    return [`${kind}s, by operation:`, ...names, head, ...lines].join('\n');
  });
  const edits = cells.filter(({ parts }) => parts[0] === 'edit').map(({ parts, count }) => `${parts[1]}: ${count}`);
  const acts = cells.filter(({ parts }) => parts[0] === 'act').map(({ parts, count }) => `${parts[1]}: ${count}`);
  const lists = [`edits: ${edits.toSorted().join(', ')}`, `acts: ${acts.toSorted().join(', ')}`];
  return [...tables, ...lists].join('\n\n');
}
