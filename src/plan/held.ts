import { AccountReason } from '../kinds/cloud-account/reasons.ts';
import type { Unsettled } from './result.ts';

/** Whether a brake holds it: it is written as soon as a person lets go. Pure. */
export function isHeld({ reason }: Unsettled): boolean {
  return reason === AccountReason.DeletionHeld || reason === AccountReason.CreationHeld;
}

/** A plan has everything applied at one moment, and a brake that sees all of it holds all of it. Pure. */
export function heldInTurn(unsettled: readonly Unsettled[]): string[] {
  const held = unsettled.filter(isHeld).length;
  if (held === 0) return [];
  return [
    `A brake holds all of ${held} here, because it sees them at once. If they are deleted or made one after another, as by kubectl, some go before it sees the others: as many as it allows in an hour, at most.`,
  ];
}
