import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** How to run another command of this program: from the sources when this runs from there, else from the bundle. */
export function ownProgram(): { readonly command: string; readonly args: readonly string[] } {
  const fromSources = import.meta.url.endsWith('.ts');
  return { command: process.execPath, args: [join(packageRoot(), fromSources ? 'src/main.ts' : 'dist/edgeline.mjs')] };
}
