import { EdgelineError } from '../../errors.ts';
import type { CliSurroundings } from '../session.ts';

/** A person ended the command before it was through. */
export class Interrupted extends EdgelineError {
  readonly code = 'Interrupted';
}

/**
 * What the work gives, unless a person ends the command. Once something that writes was sent its answer is waited for, for
 * that is all that tells whether it was done, or what ID something has now; a second time ends it all the same.
 * `work` is given what to call right before it sends such a request. Throws `Interrupted`.
 */
export async function untilInterrupted<T>(
  { onInterrupt, err }: Pick<CliSurroundings, 'onInterrupt' | 'err'>,
  work: (onWrite: () => void) => Promise<T>,
): Promise<T> {
  const interrupted = Promise.withResolvers<never>();
  let isWritten = false;
  let isWaiting = false;
  const stop = onInterrupt?.(() => {
    if (!isWritten) return interrupted.reject(nothingSent());
    if (isWaiting) return interrupted.reject(unanswered());
    isWaiting = true;
    err.write('It was sent: the answer is waited for. Once more ends the command without it.\n');
  });
  try {
    return await Promise.race([work(() => void (isWritten = true)), interrupted.promise]);
  } finally {
    stop?.();
  }
}

function nothingSent(): Interrupted {
  return new Interrupted('interrupted before anything that changes something was sent', 'Run it again.');
}

function unanswered(): Interrupted {
  return new Interrupted(
    'interrupted while a request that may change something was under way',
    'It may have been done; a server whose plan was changed has another ID then. Look before you run it again.',
  );
}
