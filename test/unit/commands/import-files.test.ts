import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

it.each([
  ['is not there', join(nowhere, 'secrets.yaml'), 'ENOENT: no such file or directory'],
  ['is a file', '/dev/null/secrets.yaml', 'ENOTDIR: not a directory'],
])('a file whose directory %s is refused before anything is asked of the service', async (_, name, why) => {
  await expect(refuseTaken([{ name, text: '', mode: 0o600 }], { ...options, out: undefined })).rejects.toMatchObject({
    message: `${name} cannot be written: ${why}`,
    advice: `Check that ${dirname(name)} is a directory that you may write to.`,
  });
});

it('a file may be in the directory that is made for the manifests', async () => {
  const forget = { name: join(nowhere, 'forget.sh'), text: '', mode: 0o755 };
  await expect(refuseTaken([output('a.yaml'), forget], options)).resolves.toBeUndefined();
});
