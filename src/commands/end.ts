/** Milliseconds until the process ends although something is still open. */
const PATIENCE_MILLISECONDS = 1000;

/**
 * Ends the process with this code: by itself once nothing is open, and at the latest after a second of idling. Not at
 * once by process.exit(): that never returns if V8 compiles in the background just then and has no room left, which with
 * the operator's small heap was so one time in 500 (https://github.com/nodejs/node/issues/54918).
 */
export function endProcess(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(), PATIENCE_MILLISECONDS).unref();
}

/** The process lives until what this returns is called: waiting alone, as for the operator's answer, keeps none alive. */
export function stayAlive(): () => void {
  const alive = setInterval(() => undefined, 60_000);
  return () => clearInterval(alive);
}

/** Ends the process quietly when whoever reads its output has left, as `head` does, and with a sentence where a disk is full. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      const { message, advice } = outputFailed(error);
      if (stream !== process.stderr) console.error(`error: ${message}\n${advice}`);
      process.exit(1);
    });
  }
}

/** What a person is told where what is printed cannot be written. Pure. */
export function outputFailed(error: Error): { readonly message: string; readonly advice: string } {
  return {
    message: `what is printed cannot be written: ${error.message}`,
    advice: 'Write it elsewhere, or make room there: what was written is not all.',
  };
}
