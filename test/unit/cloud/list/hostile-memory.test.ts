import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeCertificates, type Responder, startHTTPSServer } from '../../../support/https-server.ts';

const run = promisify(execFile);
/** As the operator sets them, in a container of 256 MiB. */
const flags = ['--max-old-space-size=128', '--optimize-for-size', '--semi-space-growth-factor=1'];
const limitMiB = 256;

const sims = (from: number, count: number, sim: object) =>
  Array.from({ length: count }, (_, index) => ({ ID: `${from + index}`, ...sim }));

/** Of the account that asks: a service that is hostile to all but one. */
function serviceOf(hostile: (from: number) => object): Responder {
  return ({ headers, target }) => {
    const isHonest = headers.authorization === `Basic ${Buffer.from('honest:secret').toString('base64')}`;
    const { From = 0 }: { From?: number } = JSON.parse(decodeURIComponent(target).split('?')[1] ?? '{}');
    const all = { is_ok: true, From, Count: 1000, Total: 1000, CommonServiceItems: sims(0, 1000, { Name: 'truck' }) };
    return { json: isHonest ? all : { is_ok: true, From, ...hostile(From) } };
  };
}

test.each<[number, string, (from: number) => object, string[]]>([
  [
    6,
    'pages as large as they may be, without end',
    (from) => ({ Total: from + 5000, Count: 1000, CommonServiceItems: sims(from, 1000, { Name: 'x'.repeat(4000) }) }),
    ['UnexpectedResponse'],
  ],
  [
    6,
    'pages of as many values as they may have, without end',
    (from) => ({ Total: from + 90_000, Count: 30_000, CommonServiceItems: sims(from, 30_000, { Tags: [1, 2] }) }),
    ['UnexpectedResponse'],
  ],
  [6, 'answers of 60 MB', () => ({ CommonServiceItems: 'x'.repeat(60 * 1024 * 1024) }), ['UnexpectedResponse']],
  [
    40,
    'lists that are taken, whose items are as long as any whose text is kept,',
    () => ({ Total: 100, Count: 100, CommonServiceItems: sims(0, 100, { Name: 'x'.repeat(1900) }) }),
    ['listed'],
  ],
])(
  '%i accounts at once with %s do not end a process of 128 MiB of heap, nor another account',
  async (accounts, _, hostile, ends) => {
    const certificates = await makeCertificates();
    const server = await startHTTPSServer(certificates);
    server.answer(serviceOf(hostile));
    const child = [...flags, 'test/support/hostile-accounts.ts', server.baseURL];
    const { stdout } = await run(process.execPath, [
      ...child,
      Buffer.from(certificates.ca).toString('base64'),
      String(accounts),
    ]);
    const { rss, ...seen }: { rss: number } = JSON.parse(stdout);
    expect(seen).toEqual({ hostile: ends, honest: 1000 });
    expect(rss).toBeLessThan(limitMiB);
    await server.close();
  },
  120_000,
);
