import { describe, expect, it } from 'vitest';
import { type BudgetReport, budgetJson, budgetLines, budgetMarkdown } from '../../../../src/cli/budget/report.ts';

const account = { kind: 'CloudAccount', namespace: 'fleet', name: 'default' } as const;
const known: BudgetReport = {
  account,
  hour: { limit: 500, kept: 50, spent: 120, room: 330, moreAt: undefined, closedUntil: undefined },
};
const moreAt = Date.parse('2026-11-22T12:00:00Z');
const unknown: BudgetReport = {
  account,
  hour: { limit: 500, kept: 50, spent: undefined, room: 0, moreAt, closedUntil: undefined },
};

describe('the budget of an account', () => {
  it('is told with what is left for commands', () => {
    expect(budgetLines(known)).toEqual([
      'Web acceleration requests of the CloudAccount default in namespace fleet, in any hour:',
      '  limit             500',
      '  kept for changes  50',
      '  spent             120',
      '  left for commands 330',
      'Spent is what the operator and commands have sent in the last hour, or may send at once.',
    ]);
    expect(budgetMarkdown(known).at(-1)).toBe('| default | 500 | 50 | 120 | 330 |');
  });

  it('says when there is more, and what is not known', () => {
    expect(budgetLines(unknown).slice(3, 6)).toEqual([
      '  spent             not known: nothing is on record, so it may be all of it',
      '  left for commands 0',
      'More from 2026-11-22T12:00:00.000Z on.',
    ]);
    expect(budgetJson(unknown)).toEqual({
      apiVersion: 'cli.edgeline.dev/v1',
      kind: 'AccountBudget',
      account,
      limit: 500,
      ownLimit: 500,
      keptForChanges: 50,
      spent: null,
      room: 0,
      moreAt: '2026-11-22T12:00:00.000Z',
      closedUntil: null,
    });
  });

  it('says why the limit is not the one of the account', () => {
    const lower: BudgetReport = { account, hour: { ...known.hour, limit: 60, kept: 6, room: 0, ownLimit: 500 } };
    expect(budgetLines(lower).slice(-2, -1)).toEqual([
      'The account itself has a limit of 500, but another one with the same access token has that of 60, or the operator has yet to put the new one on record, which takes a minute.',
    ]);
    expect(budgetJson(lower)).toMatchObject({ limit: 60, ownLimit: 500 });
  });

  it('says until when the service wants nothing', () => {
    const closed: BudgetReport = { account, hour: { ...known.hour, room: 0, moreAt, closedUntil: moreAt } };
    expect(budgetLines(closed).slice(4, 6)).toEqual([
      '  left for commands 0',
      'The service wants none until 2026-11-22T12:00:00.000Z.',
    ]);
    expect(budgetJson(closed)).toMatchObject({ closedUntil: '2026-11-22T12:00:00.000Z' });
  });
});
