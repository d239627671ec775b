import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { buildImage, filesBelow, type Image } from './dockerfile.ts';

const run = promisify(execFile);
const root = packageRoot();

const lockFile = z.object({
  version: z.string(),
  packages: z.record(z.string(), z.object({ version: z.string().optional(), dev: z.boolean().optional() })),
});
const spdx = z.object({
  spdxVersion: z.string(),
  packages: z.array(
    z.object({ SPDXID: z.string(), name: z.string(), versionInfo: z.string(), licenseDeclared: z.string() }),
  ),
  relationships: z.array(z.object({ spdxElementId: z.string(), relatedSpdxElement: z.string() })),
});

describe('the Dockerfile', () => {
  it('has nothing a linter objects to', async () => {
    const text = await readFile(join(root, 'Dockerfile'), 'utf8');
    expect(validate(text)).toEqual([]);
  });

  it('names each base by an exact tag or digest', async () => {
    const dockerfile = DockerfileParser.parse(await readFile(join(root, 'Dockerfile'), 'utf8'));
    expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual([
      expect.stringMatching(/^node:24\.\d+\.\d+-\w+-slim$/),
      expect.stringMatching(/^gcr\.io\/distroless\/nodejs24-debian13:nonroot(@sha256:[0-9a-f]{64})?$/),
    ]);
  });
});

describe('the image, its steps carried out in an empty directory', () => {
  let workspace: string;
  let image: Image;
  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'edgeline-image-'));
    const { stdout: npm } = await run('which', ['npm']);
    // Node 24 first, as in the base image, then npm, and a shell.
    const path = [dirname(process.execPath), dirname(npm.trim()), '/usr/bin', '/bin'].join(':');
    image = await buildImage({ context: root, workspace, path });
  });
  afterAll(() => rm(workspace, { recursive: true, force: true }));

  const inside = (file: string) => join(image.root, file);

  it('is one for a pod that may do nothing: no root, no shell, no command of its own', () => {
    const { base, user, entrypoint, command, environment, ports } = image;
    expect({ base, user, entrypoint, command, environment, ports }).toEqual({
      base: 'gcr.io/distroless/nodejs24-debian13:nonroot',
      user: '65532:65532',
      entrypoint: ['/nodejs/bin/node', '/edgeline/edgeline.mjs'],
      command: ['operator'],
      environment: { MALLOC_ARENA_MAX: '1' },
      ports: ['8080', '8081'],
    });
  });

  it('holds the bundle, the licences and the list of its parts, and nothing else', async () => {
    const files = await filesBelow(image.root);
    const kinds = files.map((file) => file.replace(/chunks\/[\w-]+-[A-Z0-9]{8}\./, 'chunks/*.'));
    expect([...new Set(kinds)]).toEqual([
      'edgeline/LICENSE',
      'edgeline/THIRD-PARTY-LICENSES.txt',
      'edgeline/chunks/*.mjs',
      'edgeline/edgeline.mjs',
      'edgeline/sbom.spdx.json',
    ]);
  });

  it('has the very bundle that all these tests run', async () => {
    const digests = async (directory: string) => {
      const bundle = (await filesBelow(directory)).filter((file) => file.endsWith('.mjs'));
      return Promise.all(
        bundle.map(async (file) => [
          file,
          createHash('sha256')
            .update(await readFile(join(directory, file)))
            .digest('hex'),
        ]),
      );
    };
    expect(await digests(inside('edgeline'))).toEqual(await digests(join(root, 'dist')));
  });

  it('starts with its entry point', async () => {
    const [node, ...args] = image.entrypoint;
    expect(node).toBe('/nodejs/bin/node');
    const { stdout } = await run(process.execPath, [...args.map(inside), ...image.command, '--help']);
    expect(stdout).toMatch(/^Usage: edgeline operator/);
  });

  it('says of itself what it is', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(await readFile('package.json', 'utf8')));
    const prefix = 'org.opencontainers.image.';
    expect(image.labels).toEqual({
      [`${prefix}title`]: 'Edgeline',
      [`${prefix}description`]: expect.stringContaining('Kubernetes operator'),
      [`${prefix}licenses`]: 'Apache-2.0',
      [`${prefix}source`]: 'https://github.com/edgeline/edgeline',
      [`${prefix}documentation`]: expect.stringContaining('README.md'),
      [`${prefix}version`]: version,
      [`${prefix}revision`]: '',
      [`${prefix}base.name`]: image.base,
    });
  });

  it('lists exactly the packages that the lock file has for it, each with a licence', async () => {
    const lock = lockFile.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
    const locked = Object.entries(lock.packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, entry]) => `${path.split('node_modules/').at(-1)} ${entry.version}`);
    const sbom = spdx.parse(JSON.parse(await readFile(inside('edgeline/sbom.spdx.json'), 'utf8')));
    expect(sbom.spdxVersion).toBe('SPDX-2.3');
    expect(sbom.packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`).sort()).toEqual(
      [`edgeline ${lock.version}`, ...locked].sort(),
    );
    expect(sbom.packages.filter(({ licenseDeclared }) => licenseDeclared === 'NOASSERTION')).toEqual([]);
    // Everything is there because something needs it.
    const needed = new Set(sbom.relationships.map(({ relatedSpdxElement }) => relatedSpdxElement));
    expect(sbom.packages.filter(({ SPDXID }) => !needed.has(SPDXID))).toEqual([]);
  });
});
