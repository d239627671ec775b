import { describe, expect, it } from 'vitest';
import { EdgelineError } from '../../../src/errors.ts';
import { createLogger, type LogLevel } from '../../../src/telemetry/log.ts';
import { redactText } from '../../../src/telemetry/redact.ts';

function capture(level: LogLevel = 'debug', format: 'json' | 'pretty' = 'json') {
  const lines: string[] = [];
  const log = createLogger({ level, format, destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

function entries(lines: string[]): Record<string, unknown>[] {
  return lines.map((line) => {
    const { time, ...entry }: Record<string, unknown> = JSON.parse(line);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    return entry;
  });
}

class Broken extends EdgelineError {
  readonly code = 'Broken';
}

describe('the log', () => {
  it('is one JSON object a line', () => {
    const { log, lines } = capture();
    log.info({ sim: 'a/b', count: 2 }, 'created');
    log.child({ kind: 'Sim' }).warn('late');
    expect(entries(lines)).toEqual([
      { level: 'info', sim: 'a/b', count: 2, message: 'created' },
      { level: 'warn', kind: 'Sim', message: 'late' },
    ]);
  });

  it('has a child that always tells, also where the level leaves out what is only information', () => {
    const { log, lines } = capture('error');
    log.child({ component: 'change' }, { always: true }).info('set');
    log.child({ component: 'other' }).info('no');
    expect(entries(lines)).toEqual([{ level: 'info', component: 'change', message: 'set' }]);
    const silent = capture('silent');
    silent.log.child({ component: 'change' }, { always: true }).info('set');
    expect(silent.lines).toEqual([]);
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = capture('warn');
    log.info('no');
    log.error('yes');
    expect(entries(lines)).toEqual([{ level: 'error', message: 'yes' }]);
  });

  it('is for people when asked', () => {
    const { log, lines } = capture('info', 'pretty');
    log.info({ sim: 'a/b' }, 'created');
    expect(lines).toEqual([expect.stringMatching(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: created \{"sim":"a\/b"\}\n$/)]);
  });

  it('shows of an error what helps', () => {
    const { log, lines } = capture();
    log.error({ err: new Broken('it broke', 'Mend it.', { cause: new Error('why') }) }, 'failed');
    expect(entries(lines)).toEqual([
      {
        level: 'error',
        err: { type: 'Broken', message: 'it broke', code: 'Broken', advice: 'Mend it.', cause: 'why' },
        message: 'failed',
      },
    ]);
  });

  it('shows nothing that a library hung onto an error', () => {
    const { log, lines } = capture();
    log.error(
      { err: Object.assign(new Error('boom'), { headers: { authorization: 'Basic c2VjcmV0OnNlY3JldA==' } }) },
      'x',
    );
    expect(lines.join('')).not.toContain('c2VjcmV0');
  });

  const secrets: [string, object][] = [
    ['a header', { headers: { Authorization: 'hunter22' } }],
    ['an access token secret', { account: { accessTokenSecret: 'hunter22' } }],
    ['a pass code', { passCode: 'hunter22' }],
    ['a list of one-time secrets', { onetime_url_secrets: ['hunter22'] }],
    ['a web hook', { list: [{ chat_webhook: 'hunter22' }] }],
    [
      'a private key by another name',
      { pem: '-----BEGIN EC PRIVATE KEY-----\nhunter22\n-----END EC PRIVATE KEY-----' },
    ],
    ['an Authorization value in text', { line: 'sent Basic hunter22hunter22==' }],
  ];
  it.each(secrets)('holds back %s', (_, members) => {
    const { log, lines } = capture();
    log.info(members, 'with');
    log.child({ ...members }).info('bound');
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toContain('hunter22');
  });

  it('leaves alone what only refers to a secret', () => {
    const { log, lines } = capture();
    log.info({ passCodeSecretRef: { name: 'x', key: 'y' }, key: 'a/b' }, 'fine');
    expect(entries(lines)).toEqual([
      { level: 'info', passCodeSecretRef: { name: 'x', key: 'y' }, key: 'a/b', message: 'fine' },
    ]);
  });

  it.each([
    ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer [redacted]'],
    ['Digest username="u", nonce="n", response="0af3" sent', 'Digest [redacted] sent'],
    ['Basic settings', 'Basic [redacted]'],
    ['nothing to hide', 'nothing to hide'],
  ])('redacts %s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });
});
