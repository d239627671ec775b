import { afterAll, describe, expect, it } from 'vitest';
import { comparable, filledIn, openTerminal, passagesOf, promisedBy } from '../../support/walkthrough.ts';

const block = (language: string, text: string) => ({ language, text, heading: 'Look' });
const page = (...blocks: ReturnType<typeof block>[]) => ({
  path: 'docs/x.md',
  links: [],
  anchors: new Set<string>(),
  blocks,
});

describe('what a page has its reader do', () => {
  it('is each block of commands, with what is shown after it', () => {
    expect(passagesOf(page(block('sh', 'ls'), block('text', 'a'), block('yaml', 'b: 1'), block('sh', 'pwd')))).toEqual([
      { heading: 'Look', commands: 'ls', shown: 'a' },
      { heading: 'Look', commands: 'pwd', shown: undefined },
    ]);
  });

  it('cannot be output of nothing', () => {
    expect(() => passagesOf(page(block('yaml', 'b: 1'), block('text', 'a')))).toThrow(
      'docs/x.md: what is shown below "Look" follows no command: a',
    );
  });
});

describe('output', () => {
  it.each([
    ['an age at the end', 'depot   True   35s', 'depot   True   4m27s'],
    ['when an event was last seen', '1s          Normal   Ready', '12m         Normal   Ready'],
    ['how often an event came', '0s (x2 over 3m21s)   Normal', '2s (x2 over 8m)   Normal'],
    ['an ID', 'SIM 113300000006 is at the service.', 'SIM 113300000123 is at the service.'],
    ['a time', 'until 2027-02-19T21:32:00Z.', 'until 2026-12-21T08:00:59Z.'],
    ['a port', 'https://127.0.0.1:42327', 'https://127.0.0.1:8443'],
    [
      'what the account counted',
      'default   https://h   4   1   500   True   1m',
      'default   https://h   5   18   500   True   9s',
    ],
    ['the width of a column', 'NAME   AGE', 'NAME        AGE'],
  ])('compares as equal where %s differs', (_what, one, other) => {
    expect(comparable(one)).toBe(comparable(other));
  });

  it.each([
    ['a word', 'depot   True   35s', 'depot   False   35s'],
    ['an address', 'its IP address to 10.0.0.19.', 'its IP address to 10.0.0.20.'],
    ['an ICCID', '8981040000000000017', '8981040000000000025'],
    ['how often an event came', '0s (x2 over 3m21s)   Normal', '2s (x3 over 8m)   Normal'],
    ['the limit', 'default   https://h   4   1   500   True   1m', 'default   https://h   4   1   400   True   1m'],
    ['a line', 'a', 'a\nb'],
  ])('compares as different where %s differs', (_what, one, other) => {
    expect(comparable(one)).not.toBe(comparable(other));
  });
});

describe('the terminal a reader pastes into', () => {
  const terminal = openTerminal();
  const check = async (commands: string, shown?: string) => {
    const passage = { heading: '', commands, shown };
    const outcome = await terminal.follow(passage);
    try {
      expect(outcome).toEqual(promisedBy(passage));
      return 'as promised';
    } catch {
      return outcome;
    }
  };
  afterAll(() => terminal.dispose());

  it('keeps variables, functions and the directory', async () => {
    expect(await check('mkdir there; cd there; export WORD="two  words"; LINES_="a\nb"')).toBe('as promised');
    expect(await check('say() { echo "$WORD"; }; unset nothing')).toBe('as promised');
    expect(await check('basename "$PWD"; say; echo "$LINES_"', 'there\ntwo  words\na\nb')).toBe('as promised');
  });

  it('is given what a page leaves to its reader', () => {
    const passage = { heading: '', commands: 'HOST=https://api.example.jp\necho $HOST', shown: undefined };
    expect(filledIn(passage, { HOST: 'https://127.0.0.1:8443' }).commands).toBe(
      "HOST='https://127.0.0.1:8443'\necho $HOST",
    );
  });

  it.each([
    ['echo a', 'b', { printed: 'a', refused: false }],
    ['echo a; false; echo b', 'a', { printed: 'a', refused: true }],
    ['echo a; false; echo b', undefined, { printed: 'a', refused: true }],
    ['false | cat', undefined, { printed: '', refused: true }],
    ['echo "error: no"', 'error: no', { printed: 'error: no', refused: false }],
    ['echo "error: no" >&2; exit 1', 'error: no', 'as promised'],
  ])('tells of %j whether it kept the promise %j', async (commands, shown, told) => {
    expect(await check(commands, shown)).toEqual(told);
  });
});
