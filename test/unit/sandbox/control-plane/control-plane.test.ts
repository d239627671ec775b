import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { ensureControlPlane, startControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';
import { buildFlags } from '../../../../src/sandbox/build/control-plane.ts';
import { cacheDirectory, fingerprint } from '../../../../src/sandbox/build/go-cache.ts';
import { packageRoot } from '../../../../src/sandbox/package-root.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'control-plane-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

function program(path: string, script: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function sources(content: Record<string, string> = {}): string {
  const files = { 'go.mod': 'require (\n\tk8s.io/kubernetes v1.34.4\n)\n', 'go.sum': '', 'main.go': '', ...content };
  const into = join(directory, 'sources');
  mkdirSync(into, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(into, name), text);
  return into;
}

function ensure(env: NodeJS.ProcessEnv, progress: (line: string) => void = () => {}) {
  return ensureControlPlane({ sourceDir: sources(), progress, clock: systemClock, env });
}

/** A `go` that builds two empty programs, takes 0.3 seconds for it and writes down that it was asked. */
const pretendedGo = `
if [ "$1" = env ]; then echo '{"GOVERSION": "go1.26.8", "GOOS": "linux", "GOARCH": "amd64"}'; exit; fi
echo built >> "$BUILDS"
echo 'go: downloading k8s.io/api v0.34.4' >&2
sleep 0.3
while [ "$1" != -o ]; do shift; done
touch "$2/control-plane" "$2/kubectl"`;

describe('looking for a control plane', () => {
  it('takes CONTROL_PLANE_BIN before all else, with the kubectl beside it', async () => {
    const bin = program('bin/control-plane', '');
    const kubectl = program('bin/kubectl', '');
    expect(await ensure({ CONTROL_PLANE_BIN: bin, KUBEBUILDER_ASSETS: '/other' })).toEqual({
      bin,
      kubectl,
      cached: true,
      limits: [],
    });
  });

  it('takes KUBEBUILDER_ASSETS and says what it can not show', async () => {
    program('assets/etcd', '');
    program('assets/kube-apiserver', '');
    const kubectl = program('path/kubectl', '');
    const assets = join(directory, 'assets');
    expect(await ensure({ KUBEBUILDER_ASSETS: assets, PATH: dirname(kubectl) })).toEqual({
      bin: assets,
      kubectl,
      cached: true,
      limits: [expect.stringContaining('no controllers')],
    });
  });

  it.each([
    [
      'a program that is not there',
      { CONTROL_PLANE_BIN: '/missing' },
      'CONTROL_PLANE_BIN is set, but there is no /missing',
    ],
    [
      'a directory without the programs',
      { KUBEBUILDER_ASSETS: '/missing' },
      'KUBEBUILDER_ASSETS is set, but there is no /missing/etcd and no /missing/kube-apiserver',
    ],
    [
      'a machine without Go',
      { PATH: '/missing' },
      'There is no built control plane, and none can be built: Go is not installed',
    ],
  ])('fails on %s', async (_what, env, message) => {
    await expect(ensure(env)).rejects.toMatchObject({ code: 'ControlPlaneUnavailable', message });
  });

  it('builds once, however many ask at the same time, and finds the build later', async () => {
    const go = program('go/go', pretendedGo);
    const builds = join(directory, 'builds');
    const env = { PATH: `${dirname(go)}:/usr/bin:/bin`, XDG_CACHE_HOME: join(directory, 'cache'), BUILDS: builds };
    const lines: string[] = [];
    const found = await Promise.all([1, 2, 3].map(() => ensure(env, (line) => lines.push(line))));
    const later = await ensure(env);
    const cache = cacheDirectory(env, 'control-plane');
    const [key = ''] = readdirSync(cache);
    const path = (name: string) => join(cache, key, name);
    expect({
      builders: found.filter(({ cached }) => !cached).length,
      waiting: lines.filter((line) => line.includes('waiting for process')).length,
      left: readdirSync(cache),
      later,
    }).toEqual({
      builders: 1,
      waiting: 2,
      left: [key],
      later: { bin: path('control-plane'), kubectl: path('kubectl'), cached: true, limits: [] },
    });
  });

  it('finds a build of the same sources without Go', async () => {
    const go = program('go/go', pretendedGo);
    const env = { XDG_CACHE_HOME: join(directory, 'cache'), BUILDS: join(directory, 'builds') };
    const built = await ensure({ ...env, PATH: `${dirname(go)}:/usr/bin:/bin` });
    const withoutGo = { ...env, PATH: '/missing' };
    expect(await ensure(withoutGo)).toEqual({ bin: built.bin, kubectl: built.kubectl, cached: true, limits: [] });
    const changed = { sourceDir: sources({ 'main.go': 'package main' }), progress() {}, clock: systemClock };
    await expect(ensureControlPlane({ ...changed, env: withoutGo })).rejects.toMatchObject({
      code: 'ControlPlaneUnavailable',
    });
  });

  it('shows the end of what Go said when the build fails, and leaves nothing behind', async () => {
    const go = program(
      'go/go',
      `[ "$1" = env ] && { echo '{"GOVERSION": "go1.26.8", "GOOS": "linux", "GOARCH": "amd64"}'; exit; }
       echo 'main.go:1:1: expected package' >&2; exit 1`,
    );
    const env = { PATH: `${dirname(go)}:/usr/bin:/bin`, XDG_CACHE_HOME: join(directory, 'cache') };
    await expect(ensure(env)).rejects.toMatchObject({
      code: 'ControlPlaneUnavailable',
      message: expect.stringMatching(/failed \(exit code 1\): 0 s\nmain\.go:1:1: expected package$/),
    });
    expect(readdirSync(cacheDirectory(env, 'control-plane'))).toEqual([]);
  });
});

describe('the key of a build', () => {
  const key = (content: Record<string, string>, others: string[] = ['go1.26.8']) =>
    fingerprint(sources(content), others);

  it.each<[string, () => string]>([
    ['a Go file', () => key({ 'main.go': 'package main' })],
    ['go.sum', () => key({ 'go.sum': 'x' })],
    ['a new file', () => key({ 'other.go': '' })],
    ['the version of Go', () => key({}, ['go1.27.0'])],
    ['where one argument ends', () => key({}, ['go1.', '26.8'])],
  ])('changes with %s', (_what, changed) => {
    const before = key({});
    expect(changed()).not.toBe(before);
  });

  it('does not change with files that are not built', () => {
    const before = key({});
    expect(key({ 'README.md': 'text' })).toBe(before);
  });
});

describe('the flags of a build', () => {
  it('carry the version that go.mod requires', () => {
    expect(buildFlags('require (\n\tk8s.io/kubernetes v1.35.10\n)\n')).toEqual([
      '-mod=readonly',
      '-buildvcs=false',
      '-trimpath',
      '-gcflags=all=-dwarf=false',
      '-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=v1.35.10 -X k8s.io/component-base/version.gitMajor=1 ' +
        '-X k8s.io/component-base/version.gitMinor=35 -X k8s.io/client-go/pkg/version.gitVersion=v1.35.10',
    ]);
  });
});

describe('the cache', () => {
  it.each([
    [{ XDG_CACHE_HOME: '/caches' }, '/caches/edgeline/control-plane'],
    [{ XDG_CACHE_HOME: 'relative' }, join(homedir(), '.cache/edgeline/control-plane')],
    [{}, join(homedir(), '.cache/edgeline/control-plane')],
  ])('with %j is %s', (env, path) => {
    expect(cacheDirectory(env, 'control-plane')).toBe(path);
  });
});

describe('starting a control plane', () => {
  it.each([
    ['ends without a word', 'exit 3', 'The control plane did not start: it ended with exit code 3.'],
    [
      'says why',
      `echo '{"ready": false, "error": "port taken", "log": "/data/log"}'; exit 1`,
      'The control plane did not start: port taken.\nIts log is /data/log.',
    ],
    [
      'panics',
      'echo "panic: no memory" >&2; exit 2',
      'The control plane did not start: it ended with exit code 2.\npanic: no memory',
    ],
  ])('fails when the program %s', async (_what, script, message) => {
    const bin = program('control-plane', script);
    await expect(startControlPlane({ bin, clock: systemClock })).rejects.toMatchObject({
      code: 'ControlPlaneUnavailable',
      message,
    });
  });

  it.each([
    ['fails with a log of its own', `echo '{"ready": false, "error": "no", "log": "'"$TMPDIR"'/control-plane7/log"}'; exit 1`],
    ['panics', 'echo "panic: no" >&2; exit 2'],
    ['is ready and ends', `echo '{"ready": true, "server": "https://127.0.0.1:1", "kubeconfig": ""}'; exit 0`],
  ])('leaves no temporary directory behind when the program %s', async (_what, script) => {
    const temporary = join(directory, 'tmp');
    const told = join(directory, 'told');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const made = 'mkdir "$TMPDIR/control-plane7" "$TMPDIR/ke7"; echo "one" > "$TMPDIR/control-plane7/log"';
    const bin = program('control-plane', `${made}\nls "$TMPDIR" > ${told}\n${script}`);
    const running = await startControlPlane({ bin, clock: systemClock }).catch(() => undefined);
    await running?.stop();
    expect([readFileSync(told, 'utf8'), readdirSync(temporary)]).toEqual(['control-plane7\nke7\n', []]);
  });

  it('leaves none behind when the program can not be run', async () => {
    const temporary = join(directory, 'tmp');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const bin = program('control-plane', '');
    chmodSync(bin, 0o600);
    await expect(startControlPlane({ bin, clock: systemClock })).rejects.toMatchObject({ code: 'ProcessNotStarted' });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('hands over what it was told and resolves when the program is ready', async () => {
    const bin = program(
      'control-plane',
      `printf '{"ready": true, "server": "https://127.0.0.1:1", "kubeconfig": "%s"}\\n' "$*"; cat > /dev/null`,
    );
    const running = await startControlPlane({
      bin,
      clock: systemClock,
      dataDir: '/data',
      port: 8443,
      fakeKubelet: true,
      gcPercent: 400,
    });
    expect(running).toMatchObject({
      server: 'https://127.0.0.1:1',
      kubeconfig: '--exit-on-eof --data-dir=/data --port=8443 --fake-kubelet --gogc=400',
    });
    await running.stop();
    expect(await running.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });
});

describe('the root of the package', () => {
  it('is the nearest directory upward with a package.json', () => {
    mkdirSync(join(directory, 'root/dist/deep'), { recursive: true });
    writeFileSync(join(directory, 'root/package.json'), '{}');
    expect(packageRoot(`file://${directory}/root/dist/deep/edgeline.mjs`)).toBe(join(directory, 'root'));
  });
});
