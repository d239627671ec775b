import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPageAt } from '../support/documents.ts';
import { eventually } from '../support/kubernetes.ts';
import { type SandboxRun, startSandbox } from '../support/sandbox.ts';
import { comparable, openTerminal, passagesOf, promisedBy } from '../support/walkthrough.ts';

/**
 * Follows docs/tutorial.md word by word: the sandbox as `npm start` starts it in the first terminal, and in the second
 * every block of commands in order. What the page shows below a block is what was printed.
 */
const [start, ...passages] = passagesOf(readPageAt('docs/tutorial.md'));
const terminal = openTerminal();
let sandbox: SandboxRun;
let toPaste: string;

beforeAll(async () => {
  sandbox = startSandbox([]);
  toPaste = await sandbox.untilReady();
});

afterAll(() => {
  terminal.dispose();
  sandbox.dispose();
});

describe('docs/tutorial.md', () => {
  it('begins with the sandbox, and shows the lines to paste as they are printed', async () => {
    expect(start?.commands).toBe('npm ci && npm start');
    expect(comparable(start?.shown ?? '')).toBe(comparable(toPaste));
    expect(await terminal.paste(toPaste)).toEqual({ code: 0, output: '' });
  });

  it.each([...Map.groupBy(passages, ({ heading }) => heading)])('%s', async (_heading, section) => {
    for (const passage of section) expect(await terminal.follow(passage)).toEqual(promisedBy(passage));
  });

  it('ends with Ctrl-C, and nothing is left', async () => {
    sandbox.child.kill('SIGINT');
    expect(await sandbox.ended).toBe(0);
    await eventually(() => expect(sandbox.processesLeft()).toEqual([]));
    expect(sandbox.filesLeft()).toEqual([]);
  });
});
