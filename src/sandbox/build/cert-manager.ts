import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CertManagerUnavailable } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import type { GoTool } from './go-tool.ts';

const certManagerModule = 'github.com/cert-manager/cert-manager';

/** The program, and the folder with cert-manager's CRDs, in the directory of a build. */
export const certManagerFiles = { program: 'cert-manager-lite', crds: 'crds' } as const;

/**
 * cert-manager's own controllers for SelfSigned and CA issuers, and its CRDs. They come out of the module, so what runs
 * here is the version go.mod names and nothing has to be fetched once it's built.
 */
export function certManagerTool(): GoTool {
  return {
    name: 'cert-manager-lite',
    title: 'cert-manager',
    sourceDir: join(packageRoot(), 'test', 'e2e', 'tools', 'cert-manager-lite'),
    packages: ['.'],
    files: [certManagerFiles.program, certManagerFiles.crds],
    flags: () => ['-mod=readonly', '-buildvcs=false', '-trimpath', '-gcflags=all=-dwarf=false', '-ldflags=-s -w'],
    async finish(directory, go) {
      const from = join(await go(['list', '-m', '-f', '{{.Dir}}', certManagerModule]), 'deploy', 'crds');
      const to = join(directory, certManagerFiles.crds);
      mkdirSync(to);
      // One by one: the module cache's folders are read-only, and a copy of one could not be removed.
      for (const name of readdirSync(from).filter((name) => name.endsWith('.yaml'))) {
        copyFileSync(join(from, name), join(to, name));
      }
    },
    unavailable: CertManagerUnavailable,
    withoutGo: 'Install Go (https://go.dev/dl) of the version that go.mod of test/e2e/tools/cert-manager-lite names.',
    needs: 'about 2 GB of disk, 2 GB of memory',
  };
}
