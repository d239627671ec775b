import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { adaptations, adapted } from '../../versions/adaptations.ts';
import { versionIn } from '../../versions/chosen.ts';
import { goModFor } from '../../versions/sources.ts';

const own = join(packageRoot(), 'test', 'control-plane');
const ownGoMod = readFileSync(join(own, 'go.mod'), 'utf8');
const program = readdirSync(own)
  .filter((name) => name.endsWith('.go'))
  .map((name) => ({ name, source: readFileSync(join(own, name), 'utf8') }));

describe('the Go program of the control plane', () => {
  it('needs no adaptation to the version it is written for', () => {
    expect(program.map(({ name, source }) => adapted(name, source, versionIn(ownGoMod)))).toEqual(
      program.map(({ source }) => source),
    );
  });

  it.each(adaptations)('has $instead in $file, for another version to have it otherwise', (one) => {
    const version = `1.${one.to ?? one.from}.0`;
    const source = program.find(({ name }) => name === one.file)?.source ?? '';
    const result = adapted(one.file, source, version);
    expect(result).toContain(one.write);
    expect(result).not.toContain(one.instead);
  });

  it('may not change without its adaptations', () => {
    expect(() => adapted('apiserver.go', 'package main\n', '1.32.13')).toThrow(
      'apiserver.go has no basecompat "k8s.io/component-base/compatibility": write test/versions/adaptations.ts anew for Kubernetes 1.32.13',
    );
  });
});

describe('the go.mod for another version', () => {
  const theirs = [
    'module k8s.io/kubernetes',
    'require (',
    '\tk8s.io/api v0.0.0',
    ')',
    'replace (',
    '\tk8s.io/api => ./staging/src/k8s.io/api',
    '\tk8s.io/kube-scheduler => ./staging/src/k8s.io/kube-scheduler',
    ')',
  ];

  it('requires that Kubernetes alone, with its own modules of the same version', () => {
    const mine =
      'module a.dev/b\n\ngo 1.25.0\n\nrequire k8s.io/kubernetes v1.34.4\n\ntool k8s.io/kubernetes/cmd/kubectl\n';
    expect(goModFor('1.32.13', mine, theirs.join('\n'))).toBe(`module a.dev/b

go 1.25.0

require k8s.io/kubernetes v1.32.13

replace (
	k8s.io/api => k8s.io/api v0.32.13
	k8s.io/kube-scheduler => k8s.io/kube-scheduler v0.32.13
)

tool k8s.io/kubernetes/cmd/kubectl
`);
  });

  it('is not guessed where that Kubernetes does not say what its modules are', () => {
    expect(() => goModFor('1.99.0', ownGoMod, 'module k8s.io/kubernetes\n')).toThrow(
      'replaces none of its own modules',
    );
  });
});
