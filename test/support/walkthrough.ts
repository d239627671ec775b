import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Page } from './documents.ts';

/** Commands of a page and what the page says they print. */
export interface Passage {
  readonly heading: string;
  /** A block of the language `sh`. */
  readonly commands: string;
  /** The block of the language `text` after it; undefined where the page shows nothing. */
  readonly shown: string | undefined;
}

/** What a page has its reader do, in order. Each `text` block must belong to the commands right before it. */
export function passagesOf({ path, blocks }: Page): Passage[] {
  return blocks.flatMap(({ language, text, heading }, index) => {
    const before = blocks[index - 1];
    if (language === 'text' && before?.language !== 'sh') {
      throw new Error(`${path}: what is shown below "${heading}" follows no command: ${text}`);
    }
    if (language !== 'sh') return [];
    const after = blocks[index + 1];
    return [{ heading, commands: text, shown: after?.language === 'text' ? after.text : undefined }];
  });
}

/** The passage with settings (`NAME=value` on a line of its own) filled in, as the page asks its reader to. */
export function filledIn(passage: Passage, settings: Readonly<Record<string, string>>): Passage {
  const commands = Object.entries(settings).reduce(
    (text, [name, value]) => text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='${value}'`),
    passage.commands,
  );
  return { ...passage, commands };
}

/** What differs from run to run, and what stands for it when a page is compared with what was printed. */
const varying: readonly (readonly [RegExp, string])[] = [
  // An age of kubectl: at the end of a line, or at its beginning as LAST SEEN, there also of an event that came again.
  [/(?<= )\d+[smhd](?:\d+[smh])?$/gm, '<age>'],
  // Of `edgeline explain` and `status`: for how long, in the middle of a line.
  [/(?<= (?:for|Ready|Observed|DriftObserved) +)\d+[smhd](?:\d+[smh])?(?=,| )/g, '<age>'],
  [/(?<=^ +)\d+[smhd](?:\d+[smh])?(?= +(?:Normal|Warning) )/gm, '<age>'],
  [/^\d+[smhd](?:\d+[smh])?(?= )/gm, '<age>'],
  [/(?<=^<age> \(x\d+ over )\d+[smhd](?:\d+[smh])?(?=\))/gm, '<age>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|\+00:00)/g, '<time>'],
  [/\b127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/\(serial [0-9a-f]+\)/g, '(serial <serial>)'],
  // The service's IDs; certificates by their whole fingerprint and by its beginning.
  [/\b1133\d{8}\b/g, '<id>'],
  [/\b[0-9a-f]{64}\b/g, '<fingerprint>'],
  [/\b[0-9a-f]{12}\b/g, '<fingerprint>'],
  [/\b\d+\.\d\d(?= )/g, '<percent>'],
  // SIMS and BUDGET-USED of an account, which are counted once a minute.
  [/(?<=^\S+ +https:\S+ +)\d+ +\d+(?= +500 )/gm, '<counted>'],
  [/(?<=^  (?:spent|left for commands) +)\d+$/gm, '<counted>'],
  [/\b44010\d{10}\b/g, '<imsi>'],
  // What the sandbox prints to be pasted.
  [/(?<=export KUBECONFIG=)\S+(?=\/kubeconfig$)/gm, '<directory>'],
  [/(?<=export PATH=)\S+(?=:\$PATH$)/gm, '<directory>'],
  // Columns are as wide as what varies in them.
  [/ {2,}/g, '  '],
  [/ +$/gm, ''],
];

/** Output with what differs from run to run replaced. */
export function comparable(output: string): string {
  return varying.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), output.trim());
}

/** Commands that only look: a reader who is a moment early gives them again. */
const looking = /^(?:kubectl (?:get|events|describe) |curl -s "?\$CONTROL)[^>]*$/;
const lookingSeconds = 15;
/** How what was refused begins. */
const refusal = /^(?:Error|The .* is invalid:|error:)/m;

/** How the commands of a passage ended. */
export interface Outcome {
  /** As it is compared. */
  readonly printed: string;
  /** One of them failed, and those after it were not given. */
  readonly refused: boolean;
}

/** What a page promises. Where it shows nothing, anything may be printed as long as no command fails. */
export function promisedBy({ shown }: Passage): Outcome {
  if (shown === undefined) return { printed: expect.any(String), refused: false };
  return { printed: comparable(shown), refused: refusal.test(shown) };
}

/** A bash that someone pastes into: variables and the directory stay from block to block. */
export interface Terminal {
  /** Runs commands until one fails. Gives what they printed, both streams as they came, and the exit code. */
  paste(commands: string): Promise<{ code: number | null; output: string }>;
  /** Pastes the commands of a passage; those that only look again and again, until they print what the page shows. */
  follow(passage: Passage): Promise<Outcome>;
  dispose(): void;
}

export interface TerminalOptions {
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it begins; a directory of its own unless given. */
  readonly directory?: string;
}

/** Variables and functions as they are when a block ends, without those every bash has. */
const keep = `{
  export -p; declare -f
  comm -13 "$READER/given" <(compgen -v | sort) | grep -vxE '_|READER|PIPESTATUS|FUNCNAME|BASH_.*' |
    while read -r name; do declare -p "$name"; done
} > "$READER/state"`;

export function openTerminal(options: TerminalOptions = {}): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'reader-'));
  const { directory = home } = options;
  // `mktemp -d` of the reader's goes with the rest.
  const temporary = join(home, 'tmp');
  mkdirSync(temporary);

  async function paste(commands: string): Promise<{ code: number | null; output: string }> {
    const isFirst = !existsSync(join(home, 'state'));
    const script = [
      'exec 2>&1',
      'compgen -v | sort > "$READER/given"',
      isFirst ? `cd ${directory}` : 'source "$READER/state"; cd "$PWD"',
      `trap '${keep.replaceAll("'", `'\\''`)}' EXIT`,
      'set -eo pipefail',
      commands,
      '',
    ].join('\n');
    const child = spawn('bash', ['--norc', '-c', script], {
      env: { ...process.env, ...options.env, TMPDIR: temporary, READER: home },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 120_000,
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, output };
  }

  return {
    paste,
    async follow(passage) {
      const { commands, shown } = passage;
      const isHarmless = commands.split('\n').every((line) => looking.test(line));
      const deadline = performance.now() + lookingSeconds * 1000;
      for (;;) {
        const { code, output } = await paste(commands);
        const outcome = { printed: comparable(output), refused: code !== 0 };
        const isEarly = isHarmless && shown !== undefined && outcome.printed !== comparable(shown);
        if (!isEarly || performance.now() > deadline) return outcome;
        await sleep(100);
      }
    },
    dispose: () => rmSync(home, { recursive: true, force: true }),
  };
}
