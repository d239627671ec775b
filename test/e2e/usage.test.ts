import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/sandbox/package-root.ts';

function edgeline(line: string): { code: number | null; said: string } {
  const bundle = join(packageRoot(), 'dist', 'edgeline.mjs');
  const args = line === '' ? [] : line.split(' ').map((word) => word.replaceAll('_', ' '));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle, ...args], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { code: status, said: stdout + stderr };
}

it.each([
  ['', 'Usage: edgeline'],
  ['opreator', "unknown command 'opreator'"],
  ['--nonsense', "unknown option '--nonsense'"],
  ['operator --nonsense', "unknown option '--nonsense'"],
  ['operator fleet', 'too many arguments'],
  ['operator --namespaces Foo_Bar', '"Foo Bar" is not the name of a namespace'],
  ['operator --secrets team-a/token', '"team-a/token" is not the name of a Secret'],
  ['operator --hold 0', 'Write a whole number from 1 to 86400'],
  ['operator --namespaces a,,b', 'Write names separated by commas'],
  ['operator --lease-namespace Fleet', '"Fleet" is not the name of a namespace'],
  ['operator --allowed-hosts https://x', '"https://x" is not a host'],
  ['operator --allowed-hosts x/y', '"x/y" is not a host'],
  ['operator --allowed-hosts x:99999', '"x:99999" is not a host'],
  ['operator --health-listen 8081', 'Write a host and a port'],
  ['operator --metrics-listen :99999', 'Write a host and a port'],
  ['operator --workers 0x10', 'Write a whole number from 1 to 10000'],
  ['operator --sim-poll 1e9', 'Write a whole number from 1 to 86400'],
  ['operator --site-poll 0', 'Write a whole number from 1 to 86400'],
  ['operator --log-level loud', 'Allowed choices are trace, debug, info, warn, error'],
  ['operator --kubeconfig=', 'It is empty'],
  ['sandbox --timeout soon', 'Write seconds, a number above 0'],
  ['sandbox --output xml', 'Allowed choices are json'],
  ['simulator --delay fast', 'Write milliseconds, a whole number'],
  ['simulator --listen nowhere', 'nowhere'],
  ['import', 'Usage: edgeline import'],
  ['account', 'Usage: edgeline account'],
  ['export --account Sim/x', 'Write the name of an account'],
  ['export --out -', 'what goes to stdout does so without this flag'],
  ['export --max-requests 501', 'Write a whole number from 1 to 500'],
  ['export nonsense', 'there is no kind "nonsense"'],
  ['export account/default', 'account is nothing that an account has'],
  ['export sim/', 'KIND/NAME'],
  ['export --out fleet --secrets fleet/secrets.yaml', 'Give --secrets a path outside of it'],
  ['import pulumi', "unknown command 'pulumi'"],
  ['import terraform', "missing required argument 'file'"],
  ['import terraform - --nonsense', "unknown option '--nonsense'"],
  ['control-plane --port 99999', 'A port is a number from 1 to 65535'],
])('edgeline %s ends with 2 and says why', (line, why) => {
  const { code, said } = edgeline(line);
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining(why) });
});

it.each([
  '--help',
  '--version',
  'operator --help',
  'sandbox --help',
  'simulator --help',
  'control-plane --help',
  'status --help',
  'explain --help',
  'plan --help',
  'completion --help',
  'import --help',
  'export --help',
  'account budget --help',
  'import terraform --help',
])('edgeline %s ends with 0', (line) => {
  expect(edgeline(line).code).toBe(0);
});

it.each([
  'status',
  'plan',
  'explain',
  'approve',
  'changes',
  'sim',
  'gateway',
  'site',
  'server',
  'api',
  'support-bundle',
])(
  'edgeline %s, beside those whose 2 is what they found, ends with 1 at a command line that is not understood',
  (command) => {
    expect(edgeline(`${command} --nonsense`).code).toBe(1);
  },
);

it('what fails ends with 1', () => {
  expect(edgeline('operator --kubeconfig /nowhere/kubeconfig').code).toBe(1);
});
