import type { Mutant } from './mutant.ts';

/** Faults in what lets only through what a person has approved. */
export const approvalMutants: readonly Mutant[] = [
  {
    name: 'approval-hash-not-of-calls',
    file: 'src/reconcile/approval-digest.ts',
    from: "const plan = ['edgeline plan', of.kind, metadata.uid, of.id, isDeletion, metadata.generation ?? 0, asking, calls];",
    to: "const plan = ['edgeline plan', of.kind, metadata.uid, of.id, isDeletion, metadata.generation ?? 0, asking, calls.length];",
    what: 'What was approved is one plan, and what is carried out is another of as many calls.',
  },
  {
    name: 'approval-same-asking-again',
    file: 'src/reconcile/ask-approval.ts',
    from: 'newAsking: () => randomWord(engine.random) + randomWord(engine.random),',
    to: "newAsking: () => 'always',",
    what: 'A plan has the hash that the same plan had before: an annotation that stays approves it again.',
  },
  {
    name: 'approval-taken-back-unnoticed',
    file: 'src/reconcile/approval.ts',
    from: "const stands = approval.hash === undefined ? asking === 'Changes' : approval.hash === annotation;",
    to: "const stands = approval.hash === undefined ? asking === 'Changes' : annotation !== 'never';",
    what: 'Who takes an approval back does not stop what is left of it.',
  },
];
