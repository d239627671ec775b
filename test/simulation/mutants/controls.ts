import type { Mutant } from './mutant.ts';

/** Changes that break nothing: a life that is said to give one of them away shows that something else does. */
export const controls: readonly Mutant[] = [
  {
    name: 'control-local-renamed',
    file: 'src/reconcile/converge.ts',
    from: `    const intent = isCreating ? 'create' : isAdopted ? 'adopt' : (before ?? 'create');
    const isNews = before !== 'adopt' && work.object.status?.id !== found?.id;
    work.object = await bound(work, () => writes.finalizer(work.object, intent));
    work.finalizer = intent;
    if (intent === 'adopt'`,
    to: `    const mark = isCreating ? 'create' : isAdopted ? 'adopt' : (before ?? 'create');
    const isNews = before !== 'adopt' && work.object.status?.id !== found?.id;
    work.object = await bound(work, () => writes.finalizer(work.object, mark));
    work.finalizer = mark;
    if (mark === 'adopt'`,
    what: 'A local variable has another name.',
  },
  {
    name: 'control-statements-exchanged',
    file: 'src/reconcile/converge.ts',
    from: `    const before = ownFinalizer(work.object);
    const isAdopted = memory.progress.ownership === 'Adopted';`,
    to: `    const isAdopted = memory.progress.ownership === 'Adopted';
    const before = ownFinalizer(work.object);`,
    what: 'Two statements that have nothing to do with one another have changed places.',
  },
  {
    name: 'control-condition-turned',
    file: 'src/kinds/sim/carriers.ts',
    from: 'if (!wanted.has(name)) wanted.set(name, true);',
    to: 'if (wanted.has(name)) continue; else wanted.set(name, true);',
    what: 'A condition is put the other way round.',
  },
  {
    name: 'control-doubled-otherwise',
    file: 'src/backoff.ts',
    from: 'first * 2 ** Math.min(failures, 30)',
    to: 'first * (1 << Math.min(failures, 30))',
    what: 'A power of two is a shift.',
  },
  {
    name: 'control-list-copied',
    file: 'src/cloud/list/informer.ts',
    from: 'for (const change of shown.take(next, clock.monotonic())) for (const listener of listeners) tell(listener, change);',
    to: 'for (const change of [...shown.take(next, clock.monotonic())]) for (const listener of [...listeners]) tell(listener, change);',
    what: 'Listeners are told from a copy of their list.',
  },
  {
    name: 'control-loop-for-method',
    file: 'src/kubernetes/merge-patch.ts',
    from: `  for (const name of Object.keys(from)) {
    if (isPresent(from, name) && !isPresent(to, name)) changed.push([name, null]);
  }`,
    to: `  Object.keys(from)
    .filter((name) => isPresent(from, name) && !isPresent(to, name))
    .forEach((name) => changed.push([name, null]));`,
    what: 'A loop is a chain of methods.',
  },
];
