import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { EdgelineError } from '../../src/errors.ts';
import { ensureTool, type GoTool } from '../../src/sandbox/build/go-tool.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';

/** A program that only tests run could not be built. */
class TestToolUnavailable extends EdgelineError {
  readonly code = 'TestToolUnavailable';
}

const buildFlags = ['-mod=readonly', '-buildvcs=false', '-trimpath', '-gcflags=all=-dwarf=false'];

/** A program of a module's own, at the version that go.mod in test/e2e/tools/NAME names. */
function toolOf(options: {
  readonly name: string;
  readonly package: string;
  /** Variables that are set at link time. */
  readonly variables?: (goMod: string) => Readonly<Record<string, string>>;
}): GoTool {
  return {
    name: options.name,
    title: options.name,
    sourceDir: join(packageRoot(), 'test', 'e2e', 'tools', options.name),
    packages: [options.package],
    files: [options.name],
    flags(goMod) {
      const set = Object.entries(options.variables?.(goMod) ?? {}).map(([name, value]) => ` -X ${name}=${value}`);
      return [...buildFlags, `-ldflags=-s -w${set.join('')}`];
    },
    unavailable: TestToolUnavailable,
    withoutGo: `Install Go (https://go.dev/dl) of the version that go.mod of test/e2e/tools/${options.name} names.`,
    needs: 'about 2 GB of disk, 2 GB of memory',
  };
}

const helmTool = toolOf({
  name: 'helm',
  package: 'helm.sh/helm/v3/cmd/helm',
  variables(goMod) {
    const versionOf = (module: string) => new RegExp(`^\\s*${module} v(\\S+)`, 'm').exec(goMod)?.[1] ?? '';
    // Which Kubernetes `helm template` and `helm lint` believe to talk to: 1.20 unless told, else that of its client-go.
    const [, minor = ''] = versionOf('k8s.io/client-go').split('.');
    return {
      'helm.sh/helm/v3/internal/version.version': `v${versionOf('helm.sh/helm/v3')}`,
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor': minor,
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMajor': '1',
      'helm.sh/helm/v3/pkg/lint/rules.k8sVersionMinor': minor,
    };
  },
});

const kubeconformTool = toolOf({ name: 'kubeconform', package: 'github.com/yannh/kubeconform/cmd/kubeconform' });

const actionlintTool = toolOf({ name: 'actionlint', package: 'github.com/rhysd/actionlint/cmd/actionlint' });

const kstatusTool = toolOf({ name: 'kstatus', package: '.' });

const krewTool: GoTool = {
  ...toolOf({ name: 'krew', package: 'sigs.k8s.io/krew/cmd/krew' }),
  packages: ['sigs.k8s.io/krew/cmd/krew', 'sigs.k8s.io/krew/cmd/validate-krew-manifest'],
  files: ['krew', 'validate-krew-manifest'],
};

/** Both from one build, which shares its packages; without ways to find targets in clouds, which is half of them. */
const prometheusTool: GoTool = {
  ...toolOf({ name: 'prometheus', package: 'github.com/prometheus/prometheus/cmd/prometheus' }),
  packages: ['github.com/prometheus/prometheus/cmd/prometheus', 'github.com/prometheus/prometheus/cmd/promtool'],
  files: ['prometheus', 'promtool'],
  flags: () => [...buildFlags, '-tags=remove_all_sd', '-ldflags=-s -w'],
};

const argoModule = 'github.com/argoproj/argo-cd/v3';

/** With Argo CD's own CRDs, of the version that go.mod names. */
const argoHealthTool: GoTool = {
  ...toolOf({ name: 'argo-health', package: '.' }),
  files: ['argo-health', 'crds'],
  async finish(directory, go) {
    const from = join(await go(['list', '-m', '-f', '{{.Dir}}', argoModule]), 'manifests', 'crds');
    const to = join(directory, 'crds');
    mkdirSync(to);
    // One by one: the module cache's folders are read-only, and a copy of one could not be removed.
    for (const name of readdirSync(from).filter((name) => name.endsWith('-crd.yaml'))) {
      copyFileSync(join(from, name), join(to, name));
    }
  },
};

/** The path of Helm, built when it's not there yet: two minutes. */
export const ensureHelm = (): Promise<string> => ensureProgram(helmTool);

/** The path of kubeconform, built when it's not there yet: seconds. */
export const ensureKubeconform = (): Promise<string> => ensureProgram(kubeconformTool);

/** The path of actionlint, which reads GitHub's workflows, built when it's not there yet: seconds. */
export const ensureActionlint = (): Promise<string> => ensureProgram(actionlintTool);

/** The path of a program that asks kstatus, built when it's not there yet: a quarter of a minute. */
export const ensureKstatus = (): Promise<string> => ensureProgram(kstatusTool);

/** Krew, and what its index validates manifests with. Built when not there yet: half a minute. */
export async function ensureKrew(): Promise<{ readonly krew: string; readonly validate: string }> {
  const krew = await ensureProgram(krewTool);
  return { krew, validate: join(dirname(krew), 'validate-krew-manifest') };
}

/** A Prometheus server, and promtool, which tests rules. Built when not there yet: five minutes. */
export async function ensurePrometheus(): Promise<{ readonly prometheus: string; readonly promtool: string }> {
  const prometheus = await ensureProgram(prometheusTool);
  return { prometheus, promtool: join(dirname(prometheus), 'promtool') };
}

/** A program that asks Argo CD how objects are, and a folder with Argo CD's CRDs. Built when not there yet: four minutes. */
export async function ensureArgoHealth(): Promise<{ readonly program: string; readonly crds: string }> {
  const program = await ensureProgram(argoHealthTool);
  return { program, crds: join(dirname(program), 'crds') };
}

async function ensureProgram(tool: GoTool): Promise<string> {
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const { directory } = await ensureTool(tool, { progress, clock: systemClock, env: process.env });
  return join(directory, tool.name);
}
