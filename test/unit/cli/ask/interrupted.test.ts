import { expect, it } from 'vitest';
import { untilInterrupted } from '../../../../src/cli/ask/interrupted.ts';

/** A command whose work ends with `answer`, and a person who may end it before. */
function begun(writes: boolean) {
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const answer = Promise.withResolvers<string>();
  const result = untilInterrupted(
    {
      err: { write: (text) => void said.push(text) },
      onInterrupt(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    (onWrite) => {
      if (writes) onWrite();
      return answer.promise;
    },
  );
  const interrupt = () => {
    for (const listener of listeners) listener();
  };
  return { said, listeners, answer, result, interrupt };
}

it('a command that only reads ends at once', async () => {
  const { result, interrupt, said } = begun(false);
  interrupt();
  await expect(result).rejects.toMatchObject({
    code: 'Interrupted',
    message: 'interrupted before anything that changes something was sent',
  });
  expect(said).toEqual([]);
});

it('what was sent is waited for, and its answer is given', async () => {
  const { result, interrupt, said, answer, listeners } = begun(true);
  interrupt();
  answer.resolve('changed to plan 4');
  expect(await result).toBe('changed to plan 4');
  expect(said).toEqual(['It was sent: the answer is waited for. Once more ends the command without it.\n']);
  expect(listeners.size).toBe(0);
});

it('who ends it a second time is told that it may have been done', async () => {
  const { result, interrupt } = begun(true);
  interrupt();
  interrupt();
  await expect(result).rejects.toMatchObject({
    message: 'interrupted while a request that may change something was under way',
    advice: expect.stringContaining('It may have been done'),
  });
});
