import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** The licences of all packages of which something is in the bundle, with their texts. */
export async function notices({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))].sort();
  const texts = await Promise.all(packages.map(notice));
  return `Edgeline contains parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** `node_modules/@scope/name/…` → `node_modules/@scope/name`, also where one lies inside another. */
function packageOf(path: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

async function notice(directory: string): Promise<string> {
  const parsed = manifest.safeParse(JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')));
  if (!parsed.success) throw new Error(`${directory}/package.json names no licence: ${parsed.error.message}`);
  const { name, version, license, author } = parsed.data;
  const files = (await readdir(directory)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  const by = author ? `, by ${author}` : '';
  return [`${name} ${version}${by}: ${license}`, ...texts.map((text) => text.trim())].join('\n\n').concat('\n');
}
