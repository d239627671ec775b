import { createInterface } from 'node:readline';

/** Asks a person; whoever leaves instead of answering, by Ctrl-C or Ctrl-D or because the terminal is gone, has not said yes. */
export function askYesNo(
  question: string,
  terminal: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<boolean> {
  const { input, output } = terminal;
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    lines.once('close', () => {
      output.write('\n');
      resolve(false);
    });
    lines.question(question, (answer) => {
      lines.removeAllListeners('close');
      lines.close();
      resolve(/^y(es)?$/i.test(answer.trim()));
    });
  });
}
