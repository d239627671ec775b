import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/sandbox/package-root.ts';

/** An operation with every parameter as `:id`. */
export function plainRoute(route: string): string {
  return route.replaceAll(/:\w+/g, ':id');
}

/** All operations of the service's client, as its sources spell them in normal form, each once. Throws where one can't be read there. */
export function clientRoutes(): string[] {
  const root = join(packageRoot(), 'src/cloud');
  const found = globSync('**/*.ts', { cwd: root }).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const item = /const item = '([^']+)'/.exec(text)?.[1] ?? '';
    return [...text.matchAll(/[`']((?:GET|POST|PUT|DELETE) [^`']+)[`']/g)].map(([, route = '']) =>
      plainRoute(route.replace('${item}', item)),
    );
  });
  const unclear = found.filter((route) => route.includes('$'));
  if (unclear.length > 0) throw new Error(`write the route out, for tests read it: ${unclear.join(', ')}`);
  return [...new Set(found)].toSorted();
}
