import { markdownCell, OUTPUT_VERSION } from '../output.ts';
import type { Hour } from '../service/hour.ts';

/** An account, and what is known of its hour of web acceleration. */
export interface BudgetReport {
  readonly account: {
    readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
    readonly namespace: string | undefined;
    readonly name: string;
  };
  readonly hour: Hour;
}

/** As `-o json` prints it. Pure. */
export function budgetJson({ account, hour }: BudgetReport): object {
  return {
    apiVersion: OUTPUT_VERSION,
    kind: 'AccountBudget',
    account: { kind: account.kind, namespace: account.namespace ?? null, name: account.name },
    limit: hour.limit,
    ownLimit: hour.ownLimit ?? hour.limit,
    keptForChanges: hour.kept,
    spent: hour.spent ?? null,
    room: hour.room,
    moreAt: hour.moreAt === undefined ? null : new Date(hour.moreAt).toISOString(),
    closedUntil: hour.closedUntil === undefined ? null : new Date(hour.closedUntil).toISOString(),
  };
}

/** What it means, a line each. Pure. */
export function budgetLines({ account, hour }: BudgetReport): string[] {
  const { limit, kept, spent, room, moreAt, closedUntil } = hour;
  const where = account.namespace === undefined ? '' : ` in namespace ${account.namespace}`;
  const later = moreAt === undefined ? '' : ` More from ${new Date(moreAt).toISOString()} on.`;
  return [
    `Web acceleration requests of the ${account.kind} ${account.name}${where}, in any hour:`,
    `  limit             ${limit}`,
    `  kept for changes  ${kept}`,
    `  spent             ${spent ?? 'not known: nothing is on record, so it may be all of it'}`,
    `  left for commands ${room}`,
    ...(closedUntil === undefined ? [] : [`The service wants none until ${new Date(closedUntil).toISOString()}.`]),
    ...(room === 0 && closedUntil === undefined && later !== '' ? [later.trim()] : []),
    ...(hour.ownLimit === undefined
      ? []
      : [
          `The account itself has a limit of ${hour.ownLimit}, but another one with the same access token has that of ${limit}, or the operator has yet to put the new one on record, which takes a minute.`,
        ]),
    'Spent is what the operator and commands have sent in the last hour, or may send at once.',
  ];
}

/** The same as a table of Markdown. Pure. */
export function budgetMarkdown({ account, hour }: BudgetReport): string[] {
  const cells = [account.name, hour.limit, hour.kept, hour.spent ?? 'not known', hour.room];
  return [
    '| account | limit | kept for changes | spent | left for commands |',
    '|---|---|---|---|---|',
    `| ${cells.map((cell) => markdownCell(String(cell))).join(' | ')} |`,
  ];
}
