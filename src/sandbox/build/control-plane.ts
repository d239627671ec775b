import { ControlPlaneUnavailable } from '../errors.ts';
import type { GoTool } from './go-tool.ts';

const kubectlPackage = 'k8s.io/kubernetes/cmd/kubectl';

/** The control plane and the kubectl of the same version, from the sources in this directory. */
export function controlPlaneTool(sourceDir: string): GoTool {
  return {
    name: 'control-plane',
    title: 'control plane',
    sourceDir,
    packages: ['.', kubectlPackage],
    compiles: 2314,
    files: ['control-plane', 'kubectl'],
    flags: buildFlags,
    unavailable: ControlPlaneUnavailable,
    withoutGo:
      'Install Go 1.25 or newer (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a directory with etcd, kube-apiserver and kubectl, ' +
      'or CONTROL_PLANE_BIN to a program built from test/control-plane on another machine.',
    needs: 'about 3 GB of disk, 2 GB of memory',
  };
}

/**
 * The flags of `go build`. The version a server reports is set at link time, and `kubectl version` fails without; it's
 * taken from go.mod, so that it's written down once.
 */
export function buildFlags(goMod: string): string[] {
  const [, major, minor, patch] = /^\s*k8s\.io\/kubernetes v(\d+)\.(\d+)\.(\S+)/m.exec(goMod) ?? [];
  if (patch === undefined) {
    throw new ControlPlaneUnavailable(
      'go.mod of the control plane requires no version of k8s.io/kubernetes',
      'Restore test/control-plane/go.mod.',
    );
  }
  const gitVersion = `v${major}.${minor}.${patch}`;
  const variables = {
    'k8s.io/component-base/version.gitVersion': gitVersion,
    'k8s.io/component-base/version.gitMajor': major,
    'k8s.io/component-base/version.gitMinor': minor,
    'k8s.io/client-go/pkg/version.gitVersion': gitVersion,
  };
  const set = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`);
  return [
    '-mod=readonly',
    '-buildvcs=false',
    '-trimpath',
    '-gcflags=all=-dwarf=false',
    `-ldflags=-s -w ${set.join(' ')}`,
  ];
}
