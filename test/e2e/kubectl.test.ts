import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { widthOf } from '../../src/cli/text/width.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { isUnsafe } from '../../src/unsafe.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { apply, eventually, kubectlOutput, testNamespace } from '../support/kubernetes.ts';

const bundle = join(packageRoot(), 'dist', 'edgeline.mjs');
/** A directory for the PATH with the bundle under its three names, as npm links it, and the node that runs it. */
const bin = mkdtempSync(join(tmpdir(), 'edgeline-bin-'));
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [bin, dirname(process.execPath), dirname(inject('kubectl')), process.env['PATH']].join(delimiter),
  KUBECONFIG: adminKubeconfig(),
  KUBECACHEDIR: join(bin, 'cache'),
  HOME: bin,
};
let namespace: string;

beforeAll(async () => {
  for (const name of ['edgeline', 'kubectl-edgeline', 'kubectl_complete-edgeline'])
    symlinkSync(bundle, join(bin, name));
  namespace = await testNamespace('cli');
  await apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17', namespace },
    spec: { iccid: '8981040000000009917' },
  });
  await report('Everything is \u001b[2Jgone\u202e. ゲートウェイがまだ準備できていません。もう少しお待ちください。');
});

/** Writes a status as any writer may. */
async function report(message: string): Promise<void> {
  const conditions = [
    {
      type: 'Ready',
      status: 'False',
      reason: 'GatewayNotReady',
      message,
      observedGeneration: 1,
      lastTransitionTime: '2026-11-22T11:55:00Z',
    },
  ];
  const patch = JSON.stringify({ status: { observedGeneration: 1, conditions } });
  const object = ['sim', 'truck-17', '-n', namespace, '--subresource=status'];
  await kubectlOutput(['patch', ...object, '--type=merge', '-p', patch]);
}

function run(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...environment, ...more },
    timeout: 60_000,
  });
  return { code: status, stdout, stderr };
}
const edgeline = (...args: string[]) => run('edgeline', args);

describe('edgeline status, as a process', () => {
  it('prints what is not Ready, and ends with 2', () => {
    const { code, stdout, stderr } = edgeline('status', '-n', namespace, 'sim');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(stdout).toContain('sim/truck-17  NotReady  GatewayNotReady');
    expect(stdout).toContain('Everything is \\u{1b}[2Jgone\\u{202e}.');
    expect(stdout.split('\n').filter(isUnsafe)).toEqual([]);
  });

  it('prints JSON and YAML that do nothing to a terminal, and Markdown', () => {
    const json = edgeline('status', '-n', namespace, 'sim/truck-17', '-o', 'json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      kind: 'Status',
      objects: [{ name: 'truck-17', message: expect.stringContaining('\u001b[2Jgone\u202e') }],
    });
    expect(json.stdout.split('\n').filter(isUnsafe)).toEqual([]);
    const yaml = edgeline('status', '-n', namespace, 'sim/truck-17', '-o', 'yaml');
    expect(yaml.stdout).toContain('name: truck-17\n');
    expect(yaml.stdout.split('\n').filter(isUnsafe)).toEqual([]);
    expect(edgeline('status', '-n', namespace, 'sim', '-o', 'markdown').stdout).toContain(
      `| ${namespace} | sim/truck-17 | NotReady |`,
    );
  });

  it('ends quietly when nobody reads on', () => {
    const { code, stderr } = run('bash', ['-c', `edgeline status -n ${namespace} -o json | head -c 1`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    ['status --nonsense', "unknown option '--nonsense'"],
    ['status -o xml', 'Allowed choices are table, json, yaml, markdown'],
    ['status smi', 'Did you mean sim?'],
    ['status -n a -A', "cannot be used with option '-A, --all-namespaces'"],
    ['status -n Foo', '"Foo" is not the name of a namespace'],
    ['status -w -o markdown', 'Markdown cannot be followed'],
    ['status sim/nobody', 'there is no Sim nobody in namespace default'],
    ['status --context nowhere', 'no context nowhere'],
    ['explain', "missing required argument 'resource'"],
    ['explain sim', '"sim" names no object'],
    ['explain sim/a sim/b', 'it is one object that is explained'],
  ])('edgeline %s ends with 1 and says why', (line, why) => {
    const { code, stderr } = edgeline(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
  });

  it('says what to do where there is no kubeconfig', () => {
    const { code, stderr } = run('edgeline', ['status'], { KUBECONFIG: '', HOME: '/nonexistent' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error: there is no kubeconfig: neither the variable KUBECONFIG nor the file ~/.kube/config names a cluster\nName a kubeconfig with --kubeconfig, or set KUBECONFIG to its path.\n',
    });
  });

  it('follows what changes until Ctrl-C, and ends with 0', async () => {
    const child = spawn('edgeline', ['status', '-n', namespace, 'sim', '-w'], { env: environment });
    let said = '';
    let complained = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (complained += chunk));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await eventually(() => expect(said).toContain('Sim  0/1 ready'));
    await report('It is coming.');
    await eventually(() => expect(said).toContain('sim/truck-17  NotReady (GatewayNotReady)'));
    expect(said).toContain('  It is coming.\n');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(complained).toBe('');
  });

  it.each([40, 80])(
    'is no wider than a terminal of %d columns, and has colours there unless NO_COLOR is set',
    (columns) => {
      const line = `stty cols ${columns}; edgeline status -n ${namespace} sim; edgeline explain sim/truck-17 -n ${namespace}`;
      const shown = (more: NodeJS.ProcessEnv) =>
        run('script', ['-qec', `bash -c '${line}'`, '/dev/null'], { TERM: 'xterm', NO_COLOR: '', ...more }).stdout;
      expect(shown({})).toContain('\u001b[31mNotReady\u001b[0m');
      const plain = shown({ NO_COLOR: '1' }).split('\r\n');
      expect(plain.filter(isUnsafe)).toEqual([]);
      expect(plain.join('\n')).toContain('NotReady');
      expect(Math.max(...plain.map(widthOf))).toBeLessThan(columns);
    },
  );
});

describe('kubectl edgeline', () => {
  it('is this program, and its help says so', () => {
    const { code, stdout } = run(inject('kubectl'), ['edgeline', 'status', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: kubectl edgeline status');
    expect(stdout).toContain('kubectl edgeline status -A --all');
    expect(run(inject('kubectl'), ['edgeline', 'explain', 'sim/truck-17', '-n', namespace]).stdout).toContain(
      `sim/truck-17 in namespace ${namespace}: NotReady`,
    );
  });

  it('is completed by kubectl', () => {
    const { stdout } = run(inject('kubectl'), ['__complete', 'edgeline', 'status', '-n', namespace, 'sim/t']);
    expect(stdout.split('\n')).toContain('sim/truck-17');
    expect(run(inject('kubectl'), ['__complete', 'edgeline', 'expl']).stdout).toMatch(/^explain\t/m);
  });
});

describe('completion', () => {
  /** What bash has in COMPREPLY when the tab key is pressed at the end of the line. */
  function completed(line: string): string[] {
    const script = `
source <(edgeline completion bash)
COMP_LINE=${JSON.stringify(line)}
COMP_POINT=\${#COMP_LINE}
_edgeline
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = run('bash', ['--norc', '-c', script]);
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  it('in bash, of commands, flags, values and names', () => {
    expect(completed('edgeline st')).toEqual(['status']);
    expect(completed('edgeline status --all')).toEqual(['--all-namespaces', '--all']);
    expect(completed('edgeline status -o ')).toEqual(['table', 'json', 'yaml', 'markdown']);
    expect(completed(`edgeline explain -n ${namespace} sim/`)).toEqual(['sim/truck-17']);
    expect(completed(`edgeline status -n ${namespace.slice(0, -1)}`)).toContain(namespace);
    expect(completed(`edgeline sim logs -n ${namespace} `)).toEqual(['truck-17']);
    expect(completed(`edgeline sim logs -n ${namespace} sim/t`)).toEqual(['sim/truck-17']);
    expect(completed(`edgeline gateway sims -n ${namespace} `)).toEqual(['']);
    expect(completed('edgeline server power 113300000301 o')).toEqual(['on', 'off']);
    expect(completed('edgeline status --nonsense ')).not.toContain('');
  });

  it('in bash, of names with colons, of which readline replaces the end', () => {
    const directory = join(bin, 'colons');
    mkdirSync(directory, { recursive: true });
    const file = join(directory, 'config');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [],
        users: [],
        contexts: [
          { name: 'arn:aws:eks:one', context: { cluster: 'c', user: 'u' } },
          { name: 'two', context: { cluster: 'c', user: 'u' } },
        ],
      }),
    );
    expect(completed(`edgeline status --kubeconfig ${file} --context arn:aw`)).toEqual(['aws:eks:one']);
    expect(completed(`edgeline status --kubeconfig ${file} --context t`)).toEqual(['two']);
  });

  it('never prints an error, whatever it is asked', () => {
    const { code, stdout, stderr } = run('edgeline', ['__complete', 'status', '-n', ''], { KUBECONFIG: '/nowhere' });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: ':4\n', stderr: '' });
  });

  it('is printed for each shell', () => {
    expect(run('bash', ['-n'], {}).code).toBe(0);
    for (const shell of ['bash', 'zsh', 'fish']) expect(edgeline('completion', shell).stdout).toContain('__complete');
    expect(edgeline('completion', 'tcsh').code).toBe(2);
  });
});
