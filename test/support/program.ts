import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/sandbox/package-root.ts';

let found: string | undefined;

/** What Node runs as `edgeline`: the bundle, which starts in a third of the time, unless the sources are newer. */
export function program(): string {
  found ??= find();
  return found;
}

function find(): string {
  const bundle = join(packageRoot(), 'dist', 'edgeline.mjs');
  const source = join(packageRoot(), 'src');
  if (!existsSync(bundle)) return join(source, 'main.ts');
  const built = statSync(bundle).mtimeMs;
  const isStale = readdirSync(source, { recursive: true, encoding: 'utf8' }).some(
    (file) => file.endsWith('.ts') && statSync(join(source, file)).mtimeMs > built,
  );
  return isStale ? join(source, 'main.ts') : bundle;
}
