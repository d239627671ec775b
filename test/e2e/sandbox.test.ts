import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, type TestContext, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { ensureCertManager } from '../../src/sandbox/cluster/cert-manager.ts';
import { runKubectl } from '../../src/sandbox/control-plane/kubectl.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { eventually, kubectl as kubectlOfTests } from '../support/kubernetes.ts';
import { type SandboxRun, startSandbox } from '../support/sandbox.ts';
import { simulatorClient } from '../support/simulator-client.ts';

const examples = join(packageRoot(), 'deploy', 'examples');

/** The SIM that an example only watches. */
const depotGate = '8981040000000000048';

/** A Sim nobody can register: its pass code is in no Secret. */
const unregistrable = `
apiVersion: edgeline.dev/v1alpha1
kind: Sim
metadata: { name: unregistrable }
spec:
  iccid: "8981040000000000994"
  passCodeSecretRef: { name: sim-pass-codes, key: nowhere }
`;

// Each waits for much of its time.
vi.setConfig({ maxConcurrency: 2 });

describe.concurrent('edgeline sandbox', () => {
  const start = ({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, ...args: string[]): SandboxRun => {
    const run = startSandbox(args);
    onTestFinished(() => run.dispose());
    return run;
  };
  // The first time it is built for minutes, which no test below allows for.
  beforeAll(async () => {
    const progress = (line: string) => void process.stderr.write(`${line}\n`);
    await ensureCertManager({ progress, clock: systemClock, env: process.env });
  }, 900_000);

  async function expectNothingLeft(run: SandboxRun): Promise<void> {
    // The guardian of its processes is the last to go, a moment after.
    await eventually(() => expect(run.processesLeft()).toEqual([]));
    expect(run.filesLeft()).toEqual([]);
  }

  it('brings all examples to Ready, says so in one line of JSON, and leaves nothing behind', async (context) => {
    const run = start(context, '--once', '--output', 'json');
    expect({ code: await run.ended, stderr: run.stderr() }).toMatchObject({ code: 0 });
    const lines = run.stdout().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const result = JSON.parse(lines[0] ?? '');
    expect(result).toEqual({ ready: true, seconds: expect.any(Number), resources: expect.any(Array) });
    expect(result.resources).toEqual(
      expect.arrayContaining([
        { kind: 'CloudAccount', namespace: 'edgeline-demo', name: 'default', ready: true, reason: 'Verified' },
        { kind: 'Sim', namespace: 'edgeline-demo', name: 'depot-gate', ready: true, reason: 'Observed' },
        { kind: 'MobileGateway', namespace: 'edgeline-demo', name: 'depot', ready: true, reason: 'Available' },
        { kind: 'Sim', namespace: 'edgeline-demo', name: 'truck-17', ready: true, reason: 'Available' },
        { kind: 'Sim', namespace: 'edgeline-demo', name: 'truck-18', ready: true, reason: 'Available' },
        { kind: 'Sim', namespace: 'edgeline-demo', name: 'van-03', ready: true, reason: 'Available' },
        { kind: 'WebAccelSite', namespace: 'edgeline-demo', name: 'media', ready: true, reason: 'Available' },
        { kind: 'WebAccelSite', namespace: 'edgeline-demo', name: 'shop', ready: true, reason: 'Available' },
        { kind: 'SiteCertificate', namespace: 'edgeline-demo', name: 'media', ready: true, reason: 'Available' },
        { kind: 'SiteCertificate', namespace: 'edgeline-demo', name: 'shop', ready: true, reason: 'Available' },
      ]),
    );
    expect(result.resources.filter((resource: { ready: boolean }) => !resource.ready)).toEqual([]);
    await expectNothingLeft(run);
  });

  it('says which example is not Ready and why, within the time it was given', async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'examples-'));
    try {
      cpSync(examples, directory, { recursive: true });
      writeFileSync(join(directory, 'unregistrable.yaml'), unregistrable);
      const run = start(context, '--once', '--output', 'json', '--timeout', '45', '--examples', directory);
      expect(await run.ended).toBe(1);
      const result = JSON.parse(run.stdout());
      expect(result.ready).toBe(false);
      expect(result.resources).toContainEqual({
        kind: 'Sim',
        namespace: 'edgeline-demo',
        name: 'unregistrable',
        ready: false,
        reason: 'PassCodeKeyMissing',
      });
      expect(run.stderr()).toMatch(
        /Sim edgeline-demo\/unregistrable is not Ready: PassCodeKeyMissing: .*sim-pass-codes.*nowhere/,
      );
      await expectNothingLeft(run);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it.for([
    ['as it begins', /^/, 'SIGINT', 130],
    ['while the control plane starts', /simulator: /, 'SIGINT', 130],
    ['while the examples become Ready', /operator: /, 'SIGTERM', 143],
  ] as const)('leaves no process and no file when it is interrupted %s', async ([, sign, signal, code], context) => {
    const run = start(context, '--once');
    await eventually(() => {
      expect(run.filesLeft()).not.toEqual([]);
      expect(run.stdout()).toMatch(sign);
    });
    run.child.kill(signal);
    expect(await run.ended).toBe(code);
    await expectNothingLeft(run);
  });

  it('ends when nobody reads what it writes', async (context) => {
    const run = start(context);
    await eventually(() => expect(run.stdout()).toMatch(/operator: /), { timeoutSeconds: 60 });
    run.child.stdout?.destroy();
    expect(await run.ended).toBe(141);
    await expectNothingLeft(run);
  });

  it('runs the operator as its ServiceAccount, prints hints that work, and ends well at Ctrl-C', async (context) => {
    const run = start(context);
    await eventually(() => expect(run.stdout()).toMatch(/Ctrl-C here ends the sandbox/), { timeoutSeconds: 90 });
    const kubeconfig = /export KUBECONFIG=(\S+)/.exec(run.stdout())?.[1] ?? '';
    const page = /in a browser: (http:\/\/127\.0\.0\.1:\d+\/)$/m.exec(run.stdout())?.[1] ?? '';
    expect(run.stdout()).toContain(`status page: ${page}`);
    const looked = await (await fetch(`${page}?view=resources`)).text();
    for (const name of ['sim/truck-17', 'mobilegateway/depot', 'sitecertificate/shop', 'cloudaccount/default'])
      expect(looked).toContain(`>${name}</a>`);
    const control = /export CONTROL=(http:\/\/127\.0\.0\.1:\d+)$/m.exec(run.stdout())?.[1] ?? '';
    const ask = async (...args: string[]) =>
      (await runKubectl({ kubectl: inject('kubectl'), kubeconfig }, args)).stdout.trim();

    const account = '--as=system:serviceaccount:edgeline-system:edgeline-operator';
    expect(await ask('auth', 'can-i', 'create', 'secrets', '-n', 'edgeline-demo', account)).toBe('no');
    expect(await ask('auth', 'can-i', 'patch', 'sims.edgeline.dev', '-n', 'edgeline-demo', account)).toBe('yes');
    const operator = run.processesLeft().find((command) => command.includes(' operator '));
    const own = /--kubeconfig=(\S+)/.exec(operator ?? '')?.[1] ?? '';
    const whoami = await runKubectl({ kubectl: inject('kubectl'), kubeconfig: own }, [
      'auth',
      'whoami',
      '-o',
      'jsonpath={.status.userInfo.username}',
    ]);
    expect(whoami.stdout).toBe('system:serviceaccount:edgeline-system:edgeline-operator');

    const sim = ['sim', 'truck-17', '-n', 'edgeline-demo'];
    const iccid = await ask('get', ...sim, '-o', 'jsonpath={.spec.iccid}');
    const state = async () => (await fetch(`${control}/state`)).text();
    await fetch(`${control}/state`, {
      method: 'PATCH',
      body: JSON.stringify({ sims: { [iccid]: { activated: false } } }),
    });
    await eventually(
      async () =>
        expect(await ask('events', '-n', 'edgeline-demo', '--for', 'sim/truck-17')).toContain('DriftCorrected'),
      { timeoutSeconds: 15 },
    );
    await ask('delete', ...sim);
    expect(await state()).not.toContain(iccid);

    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await expectNothingLeft(run);
  });

  it('goes on after its apiserver stood still for so long that the operator lost its Lease', async (context) => {
    const run = start(context);
    const toPaste = await run.untilReady();
    const control = /CONTROL=(\S+)/.exec(toPaste)?.[1] ?? '';
    const controlPlane = run.pidOf('/control-plane --exit-on-eof');
    process.kill(controlPlane, 'SIGSTOP');
    const again = /operator: ended \(exit code 1\), and is started again/;
    await eventually(() => expect(run.stdout()).toMatch(again), { timeoutSeconds: 60 });
    process.kill(controlPlane, 'SIGCONT');
    const simulator = simulatorClient(control);
    await simulator.patch({ sims: { [depotGate]: { name: 'renamed meanwhile' } } });
    const kubeconfig = /KUBECONFIG=(\S+)/.exec(toPaste)?.[1] ?? '';
    const look = ['get', 'sim', 'depot-gate', '-n', 'edgeline-demo', '-o', 'jsonpath={.status.name}'];
    const shown = async () => (await runKubectl({ kubectl: inject('kubectl'), kubeconfig }, look)).stdout;
    await eventually(async () => expect(await shown()).toBe('renamed meanwhile'), { timeoutSeconds: 60 });
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await expectNothingLeft(run);
  }, 180_000);

  it('goes on from its --data-dir, with the namespace that was chosen there', async (context) => {
    const data = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
    try {
      const kubeconfig = join(data, 'control-plane', 'kubeconfig');
      const config = (...args: string[]) => runKubectl({ kubectl: inject('kubectl'), kubeconfig }, ['config', ...args]);
      const runOnce = async () => {
        const run = start(context, '--once', '--output', 'json', '--data-dir', data);
        expect({ code: await run.ended, stderr: run.stderr() }).toMatchObject({ code: 0 });
      };
      await runOnce();
      await config('set-context', '--current', '--namespace=edgeline-demo');
      await runOnce();
      expect((await config('view', '-o', 'jsonpath={.contexts[*].context.namespace}')).stdout).toBe('edgeline-demo');
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it('shows with --cert-manager how a renewed certificate comes to its site', async (context) => {
    const run = start(context, '--cert-manager');
    const told =
      /^[\d:]{8} shop\.example\.jp: certificate 2 \(serial \w+…\) is on the site, \d+\.\d\d s after its Secret changed$/m;
    await eventually(() => expect(run.stdout()).toMatch(told), { timeoutSeconds: 120 });
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
    await expectNothingLeft(run);
  });

  it.runIf(inject('controllers'))(
    'takes away again what it made in a cluster that was there before',
    async (context) => {
      const run = start(context, '--once', '--kubeconfig', adminKubeconfig());
      expect({ code: await run.ended, stderr: run.stderr() }).toEqual({ code: 0, stderr: '' });
      expect(run.stdout()).toMatch(/the sandbox now creates:\n {2}namespaces: edgeline-system, edgeline-demo\n/);
      const { stdout } = await kubectlOfTests(['get', 'namespaces,clusterroles,clusterrolebindings', '-o', 'name']);
      expect(stdout).not.toContain('edgeline');
      expect((await kubectlOfTests(['get', 'crd', 'sims.edgeline.dev'])).code).toBe(0);
      await expectNothingLeft(run);
    },
  );
});
