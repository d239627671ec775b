import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { stringify } from 'yaml';
import * as z from 'zod';

/**
 * Makes of `dist/` what people install who want the commands alone: one archive for npm, Krew and tar, and the manifest for
 * Krew that names it. `node scripts/package.ts [DIRECTORY]`, default `build`. The same bundle makes the same bytes.
 */
const directory = process.argv[2] ?? 'build';
const { name, version, description, license, type, engines, bin } = z
  .object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    type: z.string(),
    engines: z.object({ node: z.string() }),
    bin: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(await readFile('package.json', 'utf8')));
const home = 'https://github.com/edgeline/edgeline';
// The chart has the name without `cli`.
const archive = `edgeline-cli-${version}.tgz`;

/** Without dependencies: the bundle has them. */
const manifest = { name, version, description, license, homepage: home, type, engines, bin };

/** Beside the bundle, what the sandbox applies, and the sources of its control plane. */
const folders = ['crds', 'deploy', 'dist', 'test/control-plane', 'test/e2e/tools/cert-manager-lite'];
const found = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })));
const files = found
  .flat()
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
  .map(({ parentPath, name: file }) => join(parentPath, file))
  .concat('LICENSE')
  .toSorted();

const tar = pack();
const collected = buffer(tar);
// npm takes what is in this folder for the package, and Krew is told of it.
const add = (file: string, content: string | Buffer, mode = 0o644) =>
  tar.entry({ name: `package/${file}`, mode, mtime: new Date(0) }, content);
add('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
for (const file of files) add(file, await readFile(file), file === 'dist/edgeline.mjs' ? 0o755 : 0o644);
tar.finalize();
const bytes = gzipSync(await collected, { level: 9 });

const plugin = {
  apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
  kind: 'Plugin',
  metadata: { name: 'edgeline' },
  spec: {
    version: `v${version}`,
    homepage: home,
    shortDescription: 'See and explain SIMs, gateways and sites',
    description:
      'For clusters with Edgeline, the operator for SIMs, mobile gateways, web-acceleration sites and their certificates: ' +
      'what is not ready and why, what a change would do at the service, what was written, session logs, usage, and ' +
      'manifests of what an account has.\n',
    caveats: `Needs Node ${engines.node} on the PATH.\n`,
    platforms: [
      {
        // A script for Node, the same for all; Krew can start it where files say what runs them.
        selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
        uri: `${home}/releases/download/v${version}/${archive}`,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        files: [{ from: 'package/*', to: '.' }],
        bin: 'dist/edgeline.mjs',
      },
    ],
  },
};

await mkdir(directory, { recursive: true });
await writeFile(join(directory, archive), bytes);
await writeFile(join(directory, 'edgeline.yaml'), stringify(plugin));
