import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { kubernetesMinor } from '../../support/control-plane.ts';
import { healthCases } from '../../support/health/cases.ts';
import { type Engines, ensureEngines } from '../../support/health/engines.ts';
import { allFields, placeOf, type Told } from '../../support/health/judge.ts';
import { eventually, kubectl } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { type Mistake, PLAIN, SERVICE, type Sees } from './mistake.ts';
import { mistakeChapters } from './mistakes.ts';

// Most of the time is spent waiting.
vi.setConfig({ maxConcurrency: 12 });

/** As in the documentation: the namespace is `fleet`, the service `https://api.example.jp`. */
function translation(world: World): { there(text: string): string; back(text: string): string } {
  const pairs = [
    [SERVICE, world.baseURL],
    [PLAIN, world.control.replace('http:', 'https:').replace('127.0.0.1', 'localhost')],
    [new URL(SERVICE).host, new URL(world.baseURL).host],
    [new URL(SERVICE).host, 'localhost'],
  ] as const;
  const name = /\bfleet\b(?!-)/g;
  return {
    there: (text) =>
      pairs
        .slice(0, 3)
        .reduce((result, [doc, real]) => result.replaceAll(doc, real), text)
        .replaceAll(name, world.namespace),
    back: (text) =>
      pairs
        .reduce((result, [doc, real]) => result.replaceAll(real, doc), text)
        .replaceAll(world.namespace, 'fleet')
        .replace(/\(serial [0-9a-f]+\)/, '(serial 00000000000004d2)'),
  };
}

/** Does what was written, and gives what kubectl printed when it refused. */
async function doIt(mistake: Mistake, world: World): Promise<string> {
  const { manifest, act } = mistake;
  if (act) await act(world);
  if (manifest === undefined || act) return '';
  const input = translation(world).there(manifest);
  const { code, stderr } = await kubectl(['apply', '-n', world.namespace, '-f', '-'], { input });
  return code === 0 ? '' : asNow(stderr.trim());
}

/** Until 1.33, an apiserver writes the values that it refuses as Go does, and since then as JSON, as the page has it. */
function asNow(refusal: string): string {
  if (kubernetesMinor() >= 34) return refusal;
  return refusal.replaceAll('Invalid value: "null"', 'Invalid value: null').replaceAll('map[string]interface {}', '');
}

/** From 1.35 on, an apiserver shows the value that a rule refuses, or nothing, where the page has its type: then it is as the page has it. */
function asOnThePage(refusal: string, { kubectl: page }: { readonly kubectl: string }): string {
  if (kubernetesMinor() < 35) return refusal;
  const parts = page.split(/Invalid value: "(?:string|object|array|integer|boolean)": /);
  const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${escaped.join('Invalid value: (?:[^]*?: )?')}$`).test(refusal) ? page : refusal;
}

/** Everything that showed a mistake in its conditions, as it was then. */
const told: Told[] = [];

async function expectMistake(mistake: Mistake): Promise<void> {
  const world = translated(await createWorld({ prefix: 'mistake', applyWith: 'kubectl', ...mistake.world }));
  const { back } = translation(world);
  await mistake.before?.(world);
  let object: Told | undefined;
  const seen = async (sees: Sees): Promise<Sees> => {
    if ('kubectl' in sees) return { kubectl: asOnThePage(refusal, sees) };
    if (refusal !== '') return { kubectl: refusal };
    const current = await world.get(...sees.on);
    const { metadata, status } = current;
    // What was said of the manifest before this one may read the same.
    expect(status?.['observedGeneration']).toBe(metadata.generation);
    object = current;
    const found = status?.conditions?.find(({ type }) => type === (sees.type ?? 'Ready'));
    const { status: expected = 'False' } = sees;
    const reason = found?.status === expected ? found.reason : `${found?.type} is ${found?.status}`;
    return { ...sees, reason, message: back(found?.message ?? '') };
  };
  const refusal = back(await doIt(mistake, world));
  await eventually(async () => expect(await seen(mistake.sees)).toEqual(mistake.sees));
  if (object) told.push(object);
  await mistake.mend?.(world);
  for (const name of mistake.mended ?? []) await world.ready(...name);
  await world.stop();
}

/** The same world to a table that is written in the words of the documentation. */
function translated(world: World): World {
  const { there } = translation(world);
  return {
    ...world,
    apply: (manifest) => world.apply(typeof manifest === 'string' ? there(manifest) : manifest),
    patch: (kind, name, patch) => world.patch(kind, kind === 'Namespace' ? there(name) : name, patch),
  };
}

const chapters = mistakeChapters.map((chapter) => ({
  ...chapter,
  usual: chapter.mistakes.filter((mistake) => !mistake.allowedHosts),
}));

describe('of the mistakes a person can make, each is told with what to do:', () => {
  let operator: Operator;
  beforeAll(async () => {
    operator = await startTestOperator({ simPollSeconds: 1 });
  });
  afterAll(() => operator.stop());

  describe.concurrent.each(chapters)('$title:', ({ usual }) => {
    it.each(usual)('$title', async (mistake) => {
      await expectMistake(mistake);
      expect(mistake.remedy).not.toBe('');
    });
  });
});

const restricted = chapters.flatMap(({ mistakes }) => mistakes.filter(({ allowedHosts }) => allowedHosts));

describe('with --allowed-hosts:', () => {
  it.each(restricted)('$title', async (mistake) => {
    const operator = await startTestOperator({ allowedHosts: [...(mistake.allowedHosts ?? [])] });
    await expectMistake(mistake);
    await operator.stop();
    expect(mistake.remedy).not.toBe('');
  });
});

describe('of the mistakes that show in conditions', () => {
  let engines: Engines;
  beforeAll(async () => {
    engines = await ensureEngines();
  }, 900_000);

  it('Argo CD and kstatus make what docs/reference/health.md says', async () => {
    const expected = told.map((object) => [placeOf(object).argo, placeOf(object).kstatus]);
    const argo = await engines.argo(told);
    const kstatus = await engines.kstatus(told);
    expect(told.map((_, index) => [argo[index], kstatus[index]?.status])).toEqual(expected);
  });

  it('and of what the operator’s own functions tell, every field of that table is seen', async () => {
    const seen = [...told, ...(await healthCases()).map(({ object }) => object)].map((object) => placeOf(object).field);
    expect(allFields.filter((field) => !seen.includes(field))).toEqual([]);
  });
});
