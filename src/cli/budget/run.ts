import { type Output, toJson, toYaml } from '../output.ts';
import type { AccountChoice } from '../service/account.ts';
import { openService } from '../service/open.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { type BudgetReport, budgetJson, budgetLines, budgetMarkdown } from './report.ts';

export interface BudgetOptions extends ClusterFlags {
  readonly account: AccountChoice | undefined;
  readonly output: Output;
}

/** `edgeline account budget`: prints what is known of an account's hour; nothing is sent to the service. */
export async function runBudget(options: BudgetOptions, surroundings: CliSurroundings): Promise<void> {
  const session = await openSession(options, surroundings);
  try {
    const access = await openService(session, { account: options.account, sends: false }, surroundings);
    try {
      const { ref, namespace } = access.account;
      surroundings.out.write(
        await printed({ account: { ...ref, namespace }, hour: await access.hour() }, options.output),
      );
    } finally {
      await access.close();
    }
  } finally {
    await session.close();
  }
}

async function printed(report: BudgetReport, output: Output): Promise<string> {
  switch (output) {
    case 'json':
      return toJson(budgetJson(report));
    case 'yaml':
      return toYaml(budgetJson(report));
    case 'markdown':
      return `${budgetMarkdown(report).join('\n')}\n`;
    case 'table':
      return `${budgetLines(report).join('\n')}\n`;
  }
}
