import type { Mutant } from './mutant.ts';

/** Faults in what holds back a mass deletion. */
export const brakeMutants: readonly Mutant[] = [
  {
    name: 'brake-record-not-written',
    file: 'src/kinds/cloud-account/ledger.ts',
    from: "const written = await client.mergePatch<Account>(resource, namespace, name, patch, { subresource: 'status' });\n        informer.put(written);",
    to: 'void [client, patch, namespace, name];',
    what: 'Who deletes all a person has needs only to be ended now and then: each process begins to count anew.',
  },
  {
    name: 'brake-record-not-conditional',
    file: 'src/kinds/cloud-account/ledger.ts',
    from: 'const patch = { metadata: { uid, resourceVersion }, status: { brakes: all.map(recordOf) } };',
    to: 'void resourceVersion;\n      const patch = { metadata: { uid }, status: { brakes: all.map(recordOf) } };',
    what: 'A record that was not seen yet, of a process that led before, is written over.',
  },
  {
    name: 'brake-record-lost-with-status',
    file: 'src/kinds/cloud-account/status.ts',
    from: 'const brakes = facts.brakes ?? previous?.brakes;',
    to: 'const brakes = previous?.brakes?.slice(0, 0);',
    what: 'The next status of the account drops what was let through: a restart begins to count anew.',
  },
  {
    name: 'brake-released-for-ever',
    file: 'src/kinds/cloud-account/brake-hold.ts',
    from: 'return Math.max(Number.NEGATIVE_INFINITY, ...times);',
    to: 'return times.length > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;',
    what: 'What was let go once opens the brake for all that comes later.',
  },
  {
    name: 'brake-age-by-own-clock',
    file: 'src/kinds/cloud-account/ledger.ts',
    from: 'if (own && own.grant.at >= grant.at) return { ...grant, age: now - own.monotonic };',
    to: 'if (own) return { ...grant, age: clock.now() - grant.at };',
    what: 'A clock that is set an hour ahead lets nothing go any more: what was just let through counts as let through long ago.',
  },
  {
    name: 'brake-not-asked-before-deletion',
    file: 'src/reconcile/remove.ts',
    from: "const held = plan.steps.length > 0 ? await brake(engine, 'Deletion', work) : undefined;",
    to: "const held = plan.steps.length > 4 ? await brake(engine, 'Deletion', work) : undefined;",
    what: 'A mass deletion is carried out.',
  },
];
