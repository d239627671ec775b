import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import * as z from 'zod';
import { notices } from './notices.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `edgeline needs Node 22.19 or newer, this is ${process.versions.node}. ` +
      'npm ci installs a Node 24 of its own unless it is told to ignore scripts: run `npm ci` without --ignore-scripts.',
  );
  process.exit(1);
}

const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8')));
const outdir = 'dist';
await rm(`${outdir}/chunks`, { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: [{ in: 'src/main.ts', out: 'edgeline' }],
  outdir,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  // Each command loads what it needs: in one file, the operator would carry the simulator's 25 MB along.
  splitting: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // Names stay as they are, for the errors in logs: to keep them otherwise costs a call for each function made.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  legalComments: 'none',
  define: {
    EDGELINE_VERSION: JSON.stringify(version),
    EDGELINE_REVISION: JSON.stringify(process.env['EDGELINE_REVISION'] || 'unknown'),
  },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await writeFile(`${outdir}/THIRD-PARTY-LICENSES.txt`, await notices(metafile));
await chmod(`${outdir}/edgeline.mjs`, 0o755);
