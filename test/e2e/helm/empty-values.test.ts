import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartDirectory, createHelm, type Helm } from '../../support/helm.ts';
import { examples } from './values.ts';

let helm: Helm;
beforeAll(async () => {
  helm = await createHelm();
}, 900_000);
afterAll(() => helm.dispose());

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of each value and of each map of values. */
function pathsIn(tree: Tree, above: readonly string[] = []): string[][] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    return [path, ...(isTree(value) ? pathsIn(value, path) : [])];
  });
}

const valuesFile = join(chartDirectory, 'values.yaml');
const defaults: Tree = parse(readFileSync(valuesFile, 'utf8'));
/** What the chart gives to Kubernetes as it is: an empty entry removes the default's, as for OpenShift. */
const whole =
  /^(resources|podSecurityContext|securityContext|livenessProbe|readinessProbe|nodeSelector|crds\.annotations)\./;
const paths = pathsIn(defaults).filter((path) => !whole.test(path.join('.')));

/** `tree` with nothing at that path. */
function emptied(tree: Tree, [name = '', ...rest]: readonly string[]): Tree {
  const inside = tree[name];
  return { ...tree, [name]: rest.length === 0 ? null : emptied(isTree(inside) ? inside : {}, rest) };
}

/** Many at a time, but not all. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const run = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all([run(), run(), run()]);
}

describe('a value left empty', { timeout: 600_000 }, () => {
  it('has its default, each of them', async () => {
    const rendered = await helm.template('edgeline-system');
    expect(paths.length).toBeGreaterThan(100);
    await each(paths, async (path) => {
      const seen = await helm.template('edgeline-system', emptied({}, path));
      expect({ path, seen }).toEqual({ path, seen: rendered });
    });
  });

  it('among others that are set has it as well', async () => {
    const values = examples['everything there is']?.({ watched: 'watched' });
    if (!isTree(values)) throw new Error('there is no such example');
    await each(Object.keys(values), async (name) => {
      const { [name]: _, ...others } = values;
      const expected = await helm.run(['template', 'edgeline', chartDirectory, '-n', 'x'], others);
      const seen = await helm.run(['template', 'edgeline', chartDirectory, '-n', 'x'], { ...others, [name]: null });
      expect({ name, seen }).toEqual({ name, seen: expected });
    });
  });
});
