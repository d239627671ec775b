import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';

/**
 * Writes to standard output, as SPDX 2.3, what the lock file has beside what is for development only. `npm sbom
 * --omit=dev` leaves out what is both, such as zod: a dependency of ours and of a tool.
 *
 * `SOURCE_DATE_EPOCH` (seconds) is the time of its making, where the build is to be reproducible.
 */
const entry = z.object({
  version: z.string(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Entry = z.infer<typeof entry>;

const text = await readFile('package-lock.json', 'utf8');
const { packages } = z.object({ packages: z.record(z.string(), entry) }).parse(JSON.parse(text));
const shipped = Object.entries(packages).filter(([path, { dev }]) => path === '' || !dev);

const idOf = (path: string) => `SPDXRef-${path === '' ? 'edgeline' : path.replaceAll(/[^\w.-]+/g, '-')}`;
const nameOf = (path: string) => path.split('node_modules/').at(-1) || 'edgeline';

function packageOf(path: string, { version, license, integrity }: Entry): object {
  const [algorithm, digest] = integrity?.split('-') ?? [];
  const name = nameOf(path);
  return {
    SPDXID: idOf(path),
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    primaryPackagePurpose: path === '' ? 'APPLICATION' : 'LIBRARY',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      },
    ],
    ...(algorithm !== undefined &&
      digest !== undefined && {
        checksums: [
          { algorithm: algorithm.toUpperCase(), checksumValue: Buffer.from(digest, 'base64').toString('hex') },
        ],
      }),
  };
}

/** Where Node looks for a dependency of the package at `path`: beside its own, then further and further out. */
function resolve(path: string, dependency: string): string | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const candidate = `${at === '' ? '' : `${at}/`}node_modules/${dependency}`;
    if (packages[candidate]) return candidate;
    if (at === '') return undefined;
  }
}

const relationships = shipped.flatMap(([path, { dependencies }]) =>
  Object.keys(dependencies).flatMap((dependency) => {
    const found = resolve(path, dependency);
    if (found === undefined) return [];
    return [{ spdxElementId: idOf(path), relationshipType: 'DEPENDS_ON', relatedSpdxElement: idOf(found) }];
  }),
);
const version = packages['']?.version ?? '';
const seconds = process.env['SOURCE_DATE_EPOCH'];
const created = seconds === undefined ? new Date() : new Date(Number(seconds) * 1000);
const digest = createHash('sha256').update(text).digest('hex');

console.log(
  JSON.stringify(
    {
      spdxVersion: 'SPDX-2.3',
      dataLicense: 'CC0-1.0',
      SPDXID: 'SPDXRef-DOCUMENT',
      name: `edgeline-${version}`,
      documentNamespace: `https://edgeline.dev/spdx/edgeline-${version}-${digest}`,
      creationInfo: {
        created: created.toISOString().replace(/\.\d{3}Z$/, 'Z'),
        creators: [`Tool: edgeline-scripts-sbom-${version}`],
      },
      packages: shipped.map(([path, one]) => packageOf(path, one)),
      relationships: [
        { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: idOf('') },
        ...relationships,
      ],
    },
    undefined,
    2,
  ),
);
