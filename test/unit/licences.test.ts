import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]);
/** Tools that are run, never shipped, may also be under a licence that asks for changes to its own files back. */
const forTools = new Set([...permissive, 'MPL-2.0']);

const lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ license: z.string().optional(), dev: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
});

describe('the licences of what the project is made with', () => {
  it('are permissive', async () => {
    const { packages } = lock.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
    const others = Object.entries(packages)
      // Builds of one package for other machines have no entry of their own at some registries.
      .filter(([name, { license, optional }]) => name !== '' && !(optional && license === undefined))
      .filter(([, { license = 'none', dev }]) => !(dev ? forTools : permissive).has(license))
      .map(([name, { license }]) => `${name}: ${license}`);
    expect(others).toEqual([]);
  });
});
