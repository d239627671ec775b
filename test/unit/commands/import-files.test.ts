import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseTaken } from '../../../src/commands/import-files.ts';

const nowhere = join(tmpdir(), 'edgeline-nowhere');
const options = { out: nowhere, secretsFile: undefined, force: false };
const output = (name: string) => ({ directory: nowhere, name, text: '', mode: 0o644 });

it('ten thousand files to be written are looked at in a moment', async () => {
  const begun = performance.now();
  await refuseTaken(
    Array.from({ length: 10_000 }, (_, index) => output(`sim-${index}.yaml`)),
    options,
  );
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it('one file is not to hold two things, however its path is written', async () => {
  const twice = refuseTaken([output('a.yaml'), output('b.yaml'), output('./x/../a.yaml')], options);
  await expect(twice).rejects.toThrow(`${join(nowhere, 'a.yaml')} is to hold two things`);
});
