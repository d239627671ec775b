import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { program } from '../../support/program.ts';
import { startService } from './service.ts';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; stops it, once it is ready, by the signal. */
function run(flags: readonly string[], signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Run> {
  const child = spawn(process.execPath, [program(), 'simulator', ...flags]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data) => {
    stdout += String(data);
    if (stdout.includes('\n')) child.kill(signal);
  });
  child.stderr.on('data', (data) => (stderr += String(data)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const anywhere = ['--listen', '127.0.0.1:0', '--control', '127.0.0.1:0'];

describe('edgeline simulator', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it listens in one line of JSON, and ends by %s',
    async (signal) => {
      const { code, stdout, stderr } = await run(anywhere, signal);
      expect([code, stderr, JSON.parse(stdout)]).toEqual([
        0,
        '',
        {
          ready: true,
          baseURL: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
          control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
          ca: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
        },
      ]);
    },
  );

  it('names the CA file when it wrote one', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'simulator-')), 'ca.pem');
    const { stdout } = await run([...anywhere, '--ca-out', file]);
    expect(JSON.parse(stdout)).toEqual(expect.objectContaining({ ca: file }));
  });

  it.each<[readonly string[], string]>([
    [['--listen', 'nowhere'], '--listen: write HOST:PORT, such as 127.0.0.1:8443, not nowhere'],
    [['--control', '0.0.0.0:0'], '--control: write a loopback address such as 127.0.0.1, not 0.0.0.0'],
    [['--delay', 'long'], "option '--delay <MS>' argument 'long' is invalid. Write milliseconds, a whole number."],
    [['--nonsense'], "unknown option '--nonsense'"],
  ])('%j ends with 2 and says what to write', async (flags, message) => {
    const { code, stdout, stderr } = await run([...anywhere, ...flags]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('ends with 2 at a seed that cannot be used', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'simulator-')), 'seed.yaml');
    await writeFile(file, 'gateways: [{name: g, zone: is1a, planID: 1}]');
    const { code, stderr } = await run([...anywhere, '--seed-file', file]);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'the seed file: gateways[0].planID: write 2, the only plan there is',
    ]);
  });
});

describe('starting in process', () => {
  it.each([
    [{ accessToken: '' }, '--access-token: write a token'],
    [{ control: '192.0.2.1:1' }, '--control: write a loopback address'],
    [{ caOut: '/nowhere/ca.pem' }, '--ca-out: /nowhere/ca.pem cannot be written'],
    [
      { seed: { accounts: [{ name: 'a', accessToken: 'token', accessTokenSecret: 's' }] } },
      'accounts[0].accessToken: another account has this token',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(startService(options)).rejects.toThrow(message);
  });

  it('refuses a port that is taken, and leaves nothing listening', async () => {
    const service = await startService();
    const { port } = new URL(service.controlURL);
    await expect(startService({ control: `127.0.0.1:${port}` })).rejects.toThrow(
      '--control: cannot listen on 127.0.0.1:',
    );
    await service.close();
  });
});
