import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import type { HealthCase } from '../support/health/case.ts';
import { healthCases } from '../support/health/cases.ts';
import { type Engines, ensureEngines } from '../support/health/engines.ts';
import { placeOf, type Told } from '../support/health/judge.ts';

let engines: Engines;
let cases: readonly HealthCase[];
beforeAll(async () => {
  engines = await ensureEngines();
  cases = await healthCases();
}, 900_000);

const healthy = async (objects: readonly Told[]) => {
  const verdicts = await engines.argo(objects);
  return verdicts.map(({ status }) => status);
};

/** A Sim that works, to be changed a little. */
function working(): Told {
  const found = cases.find(({ title }) => title === 'a Sim that works');
  if (!found) throw new Error('there is none');
  return found.object;
}

describe('the health of a resource', () => {
  it('is in Argo CD what docs/reference/health.md says, with the message of the condition that tells why', async () => {
    const verdicts = await engines.argo(cases.map(({ object }) => object));
    const expected = cases.map(({ title, object }) => [title, placeOf(object).argo]);
    expect(cases.map(({ title }, index) => [title, verdicts[index]])).toEqual(expected);
  });

  it('is for kstatus what docs/reference/health.md says', async () => {
    const verdicts = await engines.kstatus(cases.map(({ object }) => object));
    const expected = cases.map(({ title, object }) => [title, placeOf(object).kstatus]);
    expect(cases.map(({ title }, index) => [title, verdicts[index]?.status])).toEqual(expected);
  });

  it('is the same by one check for all kinds', async () => {
    const objects = cases.map(({ object }) => object);
    const wildcard = join(packageRoot(), 'deploy', 'argocd', 'health', 'argocd-cm-wildcard.yaml');
    expect(await engines.argo(objects, wildcard)).toEqual(await engines.argo(objects));
  });

  it('is Progressing until the operator has looked at it, and again after each change', async () => {
    const { status: _status, ...fresh } = working();
    const unseen = { ...fresh, status: { observedGeneration: -1 } };
    const changed = { ...working(), metadata: { ...working().metadata, generation: 2 } };
    expect(await engines.argo([fresh, unseen, changed])).toEqual([
      { status: 'Progressing', message: 'The operator has not looked at it yet.' },
      { status: 'Progressing', message: 'The operator has not looked at it yet.' },
      { status: 'Progressing', message: 'The operator has not looked at the last change yet.' },
    ]);
    const kstatus = await engines.kstatus([unseen, changed]);
    expect(kstatus.map(({ status }) => status)).toEqual(['InProgress', 'InProgress']);
  });

  it('of what is being deleted is Progressing, whatever stands in the way', async () => {
    const leaving = cases.map(({ object }) => ({
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: '2026-01-15T00:00:00Z' },
    }));
    expect(new Set(await healthy(leaving))).toEqual(new Set(['Progressing']));
    expect(new Set((await engines.kstatus(leaving)).map(({ status }) => status))).toEqual(new Set(['Terminating']));
  });
});
