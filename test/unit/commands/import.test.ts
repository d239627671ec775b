import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Issued } from '../../support/certificates.ts';
import { program } from '../../support/program.ts';
import { siteCertificate, stateOf } from '../../support/terraform/states.ts';

const directory = mkdtempSync(join(tmpdir(), 'import-'));
const place = (name: string) => join(directory, name);
let certificate: Issued;
beforeAll(async () => {
  certificate = await siteCertificate();
  for (const release of ['2.8', '2.29', '2.36'])
    writeFileSync(place(`${release}.tfstate`), stateOf(release, certificate));
});
afterAll(() => rmSync(directory, { recursive: true }));

function run(args: readonly string[], input?: string | Buffer) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), 'import', 'terraform', ...args], {
    cwd: directory,
    encoding: 'utf8',
    ...(input !== undefined && { input }),
  });
  return { code: status, stdout, stderr };
}

const objects = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
const mode = (name: string) => (statSync(place(name)).mode & 0o777).toString(8);
/** Everything that must stay in the file of Secrets. */
const secrets = () => [
  'canary',
  certificate.key.trim(),
  certificate.chain.trim(),
  certificate.key.split('\n')[1] ?? '',
];

describe('edgeline import terraform', () => {
  it('prints manifests to stdout and the rest to stderr, and ends with 3 if something is left out', () => {
    const { code, stdout, stderr } = run([
      '2.8.tfstate',
      '--namespace',
      'fleet',
      '--account',
      'ClusterCloudAccount/main',
    ]);
    expect({ code, objects: objects(stdout) }).toEqual({
      code: 3,
      objects: [
        expect.objectContaining({ kind: 'MobileGateway', metadata: { name: 'depot', namespace: 'fleet' } }),
        {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'Sim',
          metadata: { name: 'truck', namespace: 'fleet' },
          spec: {
            accountRef: { kind: 'ClusterCloudAccount', name: 'main' },
            iccid: '8981040000000000017',
            resourceID: '113300000017',
            adoption: 'Required',
            displayName: 'truck',
            passCodeSecretRef: { name: 'truck-pass-code', key: 'passCode' },
            activated: true,
            gatewayRef: { name: 'depot' },
            ipAddress: '10.0.0.17',
            carriers: [
              { name: 'KDDI', allow: true },
              { name: 'SoftBank', allow: true },
            ],
          },
        },
        expect.objectContaining({ kind: 'SiteCertificate', metadata: { name: 'www', namespace: 'fleet' } }),
      ],
    });
    expect(stderr).toContain("terraform state rm 'sakuracloud_sim.truck'\n");
  });

  it('gives what was made with an alias an account of its own', () => {
    const accounts = ['--account', 'main', '--account', 'tokyo=ClusterCloudAccount/other'];
    const named = objects(run(['2.36.tfstate', ...accounts]).stdout).map(
      ({ spec }) => `${spec.accountRef.kind}/${spec.accountRef.name}`,
    );
    expect([...Map.groupBy(named, (name) => name)].map(([name, all]) => [name, all.length])).toEqual([
      ['CloudAccount/main', 12],
      ['ClusterCloudAccount/other', 2],
    ]);
  });

  it('ends with 0 if nothing is left out', () => {
    expect(run(['2.8.tfstate', '--dialect', 'Extended']).code).toBe(0);
  });

  it('reads what terraform state pull prints, also as PowerShell passes it on', () => {
    const text = stateOf('2.8', certificate);
    const plain = run(['-'], text);
    expect(objects(plain.stdout)).toHaveLength(3);
    expect(run(['-'], Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(plain);
  });

  it('writes a file a kind, the Secrets for their owner alone, and a script', () => {
    const options = ['--out', 'fleet', '--secrets', 'secrets.yaml', '--state-rm', 'forget.sh', '--send-unseen'];
    const { code, stdout, stderr } = run(['2.36.tfstate', ...options]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(readdirSync(place('fleet'))).toEqual([
      'mobilegateways.yaml',
      'sims.yaml',
      'sitecertificates.yaml',
      'webaccelsites.yaml',
    ]);
    expect([mode('secrets.yaml'), mode('forget.sh')]).toEqual(['600', '755']);
    expect(objects(readFileSync(place('secrets.yaml'), 'utf8'))).toContainEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'shop-tls' },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': certificate.chain, 'tls.key': certificate.key },
    });
    expect(stderr).toContain('Secrets: 12 in secrets.yaml, readable for you alone.');
    expect(spawnSync('sh', ['-n', place('forget.sh')]).status).toBe(0);
  });

  it.each([
    [['--out', 'file'], 'error: file is a file\nGive --out a directory'],
    [['--out', 'file', '--force'], 'error: file is a file\nGive --out a directory'],
    [['--out', 'file/below', '--force'], '/file is a file\nGive --out a directory'],
    [['--secrets', 'folder', '--force'], 'error: folder is a directory\nGive the path of a file.'],
  ])('%j is refused in words', (flags, message) => {
    writeFileSync(place('file'), 'kept');
    mkdirSync(place('folder'), { recursive: true });
    const { code, stdout, stderr } = run(['2.8.tfstate', ...flags]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('    at ');
    expect(readFileSync(place('file'), 'utf8')).toBe('kept');
  });

  it('takes no - for a path, which would be a file of that name', () => {
    const { code, stderr } = run(['2.8.tfstate', '--out', '-']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('goes to stdout') });
    expect(existsSync(place('-'))).toBe(false);
  });

  it('writes over nothing unless it is told to, and then the Secrets are for their owner alone all the same', () => {
    writeFileSync(place('there.yaml'), 'kept');
    chmodSync(place('there.yaml'), 0o644);
    expect(run(['2.8.tfstate', '--secrets', 'there.yaml'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: there.yaml is there already\nChoose another path, or write over it with --force.\n',
    });
    expect(readFileSync(place('there.yaml'), 'utf8')).toBe('kept');
    expect(run(['2.8.tfstate', '--secrets', 'there.yaml', '--force']).code).toBe(3);
    expect(mode('there.yaml')).toBe('600');
    expect(objects(readFileSync(place('there.yaml'), 'utf8'))).toHaveLength(2);
  });

  it('puts no Secrets where the manifests are committed from, and nothing twice in one file', () => {
    expect(run(['2.8.tfstate', '--out', 'repo', '--secrets', 'repo/secret/s.yaml'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: repo/secret/s.yaml would be beside the manifests in repo, and be committed with them\nGive --secrets a path outside of it.\n',
    });
    expect(run(['2.8.tfstate', '--state-rm', 'same', '--secrets', './same']).stderr).toContain('is to hold two things');
    expect([existsSync(place('repo')), existsSync(place('same'))]).toEqual([false, false]);
  });

  it('says what is wrong with what it is given', () => {
    writeFileSync(place('huge'), '{');
    truncateSync(place('huge'), 257 * 1024 * 1024);
    writeFileSync(
      place('others'),
      JSON.stringify({
        version: 4,
        resources: [
          { mode: 'managed', type: 'aws_instance', name: 'x', provider: 'provider["a/b/aws"]', instances: [{}] },
        ],
      }),
    );
    expect([
      run(['huge']),
      run(['nowhere']),
      run(['others']),
      run(['2.8.tfstate', '--state-rm', 'no/such/place']),
      run(['2.8.tfstate', '--out', 'huge/manifests']),
    ]).toEqual([
      { code: 1, stdout: '', stderr: expect.stringContaining('error: The file is larger than 256 MiB\n') },
      { code: 1, stdout: '', stderr: expect.stringContaining('error: there is no file nowhere\n') },
      {
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(
          'holds no SIM, no mobile gateway and no site of the provider sacloud/sakuracloud',
        ),
      },
      { code: 1, stdout: '', stderr: expect.stringContaining('no/such/place cannot be written: ENOENT') },
      { code: 1, stdout: '', stderr: expect.stringMatching(/^error: .*huge is a file\n/) },
    ]);
    expect([run(['.']).stderr, run(['2.36.tfstate', '--account', 'toky=x']).stderr]).toEqual([
      'error: . is a directory\nGive the path of a file.\n',
      'error: Nothing in the state was made with the alias toky of the provider\nThe state has tokyo.\n',
    ]);
  });

  it.runIf(process.platform === 'linux')('ends where no directory can be made', () => {
    const { code, stderr } = run(['2.8.tfstate', '--out', '/proc/manifests']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/\/proc/) });
  });

  it.each([
    [[], "missing required argument 'file'"],
    [['2.8.tfstate', '--account', 'Fleet'], 'Write the name of an account'],
    [['2.8.tfstate', '--account', '=default'], 'Write the name of an account'],
    [['2.8.tfstate', '--account', 'Secret/default'], 'Write the name of an account'],
    [['2.8.tfstate', '--account', 'a=x', '--account', 'a=y'], 'Name one account for each alias'],
    [['2.8.tfstate', '--namespace', 'Fleet'], 'is not the name of a namespace'],
    [['2.8.tfstate', '--dialect', 'Both'], 'Allowed choices are Documented, Extended'],
  ])('%o is not understood', (args, why) => {
    expect(run(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
  });
});

it('shows no secret anywhere but in the file of Secrets', () => {
  const found: string[] = [];
  const look = (where: string, text: string) => {
    for (const secret of secrets()) if (text.includes(secret)) found.push(`${where}: ${secret.slice(0, 40)}`);
  };
  const all = [['--dialect', 'Extended'], ['--send-unseen'], ['--observe']];
  for (const release of ['2.8', '2.29', '2.36']) {
    for (const [index, options] of all.entries()) {
      const name = `quiet-${release}-${index}`;
      const files = ['--out', name, '--secrets', `${name}.secrets`, '--state-rm', `${name}.sh`];
      const outcomes = [run([`${release}.tfstate`, ...options]), run([`${release}.tfstate`, ...options, ...files])];
      for (const { stdout, stderr } of outcomes) look(`${release} ${options.join(' ')}`, stdout + stderr);
      for (const file of readdirSync(place(name))) look(file, readFileSync(place(join(name, file)), 'utf8'));
      look(`${name}.sh`, readFileSync(place(`${name}.sh`), 'utf8'));
    }
  }
  // What can't be read isn't quoted either.
  const cut = stateOf('2.36', certificate).slice(0, -40);
  look('cut off', JSON.stringify(run(['-'], cut)));
  expect(found).toEqual([]);
  // It would be found: it is where it belongs.
  expect(readFileSync(place('quiet-2.36-1.secrets'), 'utf8')).toContain('canary-pass-17');
});
