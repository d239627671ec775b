import type { Clock } from '../../clock.ts';

/** After this, whoever waits is told that the command does, too. Milliseconds. */
const PATIENCE_MILLISECONDS = 5000;

/** What the work gives; says once that there is no answer yet, if it takes long. */
export async function withPatience<T>(
  clock: Pick<Clock, 'sleep'>,
  say: (text: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(PATIENCE_MILLISECONDS, done.signal).then(
    () => say('There is no answer yet; still waiting.\n'),
    () => undefined,
  );
  try {
    return await work();
  } finally {
    done.abort();
    await late;
  }
}
