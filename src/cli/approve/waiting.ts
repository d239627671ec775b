import { conditionsOf, type Reported } from '../standing.ts';

/** A plan that waits for approval, as the status of an object has it. */
export interface WaitingPlan {
  readonly hash: string;
  readonly calls: readonly WaitingCall[];
  /** More will be asked for after it. */
  readonly continues: boolean;
}

interface WaitingCall {
  readonly step: string;
  readonly fields: readonly { readonly field: string; readonly before: string; readonly after: string }[];
}

/** The plan that waits for approval; undefined where none does. Whoever may write a status writes it. Pure. */
export function waitingPlan(object: Reported): WaitingPlan | undefined {
  const plan = object.status?.['plan'];
  const isAsking = conditionsOf(object).some(
    ({ type, status, reason }) => type === 'Synced' && status === 'False' && reason === 'ApprovalPending',
  );
  if (!isAsking || !isRecord(plan) || typeof plan['hash'] !== 'string') return undefined;
  return {
    hash: plan['hash'],
    calls: records(plan['calls']).map((call) => ({
      step: textOf(call['step']),
      fields: records(call['fields']).map(({ field, before, after }) => ({
        field: textOf(field),
        before: textOf(before),
        after: textOf(after),
      })),
    })),
    continues: plan['continues'] === true,
  };
}

/** The plan that waits is of an older spec: the operator is about to make another. Pure. */
export function isPlannedAnew(object: Reported): boolean {
  const plan = waitingPlan(object);
  const synced = conditionsOf(object).find(({ type }) => type === 'Synced');
  const { generation } = object.metadata;
  return plan !== undefined && generation !== undefined && (synced?.observedGeneration ?? generation) < generation;
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
