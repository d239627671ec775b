import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The directory of the package this code belongs to: the nearest one upward that has a package.json. The same from the
 * sources and from the bundle, which lie at different depths.
 */
export function packageRoot(from: string = import.meta.url): string {
  const start = dirname(fileURLToPath(from));
  for (let directory = start; ; directory = dirname(directory)) {
    if (existsSync(join(directory, 'package.json'))) return directory;
    if (directory === dirname(directory)) return start;
  }
}
