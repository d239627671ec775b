import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutant, patched } from './mutant.ts';

/** A copy of the repository, as far as the simulation needs it, in which faults can be planted. */
export interface Workspace {
  readonly directory: string;
  plant(mutant: Mutant): Promise<void>;
  /** Puts back the file that a fault was planted in. */
  heal(mutant: Mutant): Promise<void>;
  remove(): Promise<void>;
}

/** `root`: the repository. */
export async function createWorkspace(root: string): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-mutants-'));
  for (const part of ['package.json', 'src', 'test/simulation']) {
    await cp(join(root, part), join(directory, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return {
    directory,
    async plant(mutant) {
      const text = await readFile(join(root, mutant.file), 'utf8');
      await writeFile(join(directory, mutant.file), patched(mutant, text));
    },
    heal: ({ file }) => cp(join(root, file), join(directory, file)),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
