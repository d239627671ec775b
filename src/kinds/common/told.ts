import { NotFoundError, UnexpectedResponseError } from '../../cloud/errors.ts';
import { isOfItsCall } from '../../reconcile/failure.ts';
import { isPending, type ManagedObject, type Progress } from '../../reconcile/managed-object.ts';

/**
 * Whether something is decided by how a field is at the service: the spec names it, or what was written of it, or may have
 * been, is on record. All else that is read is only told. Pure.
 */
export function isDecidedBy(
  field: string,
  { object, progress }: { readonly object: ManagedObject; readonly progress: Pick<Progress, 'applied' | 'pending'> },
): boolean {
  const { [field]: asked }: Readonly<Record<string, unknown>> = { ...object.spec };
  return asked !== undefined || progress.applied[field] !== undefined || isPending(progress.pending, field);
}

/**
 * What becomes of a reading that failed, of what is only told: where the service has trouble with that alone it is left out
 * until it is read again in its turn, and keeps nothing waiting. Anything else concerns more than this.
 */
export function leaveOut(error: unknown): undefined {
  const isOfThis = isOfItsCall(error) || error instanceof NotFoundError || error instanceof UnexpectedResponseError;
  if (!isOfThis) throw error;
  return undefined;
}
