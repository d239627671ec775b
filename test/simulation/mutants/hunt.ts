import { parseArgs } from 'node:util';
import { drawScript } from '../life/draw/script.ts';
import { runLife } from '../life/run.ts';
import { mutants } from './all.ts';
import { nearestFirst, nearOf } from './near.ts';

/*
 * Lives seed after seed until a promise is broken, in the tree that it lies in. Each line of its output is a `Report`.
 * `--mutant`: the fault that is planted there; lives in which it may show go first. `--after`: so many were lived before.
 */

/** What one life came to; the first with a violation is the last. */
export interface Report {
  readonly seed: number;
  /** It is about to be lived; all else is still to come. */
  readonly begins?: true;
  /** The first promise that was not kept. */
  readonly violation?: { readonly invariant: string; readonly message: string };
  /** Of all that were not kept, once each. */
  readonly invariants?: readonly string[];
}

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    mutant: { type: 'string' },
    after: { type: 'string', default: '0' },
  },
});
const from = Number(values.from);
const seeds = Array.from({ length: Number(values.to) - from + 1 }, (_, index) => from + index);

for (const seed of ordered().slice(Number(values.after))) {
  report({ seed, begins: true });
  const lived = await live(seed);
  report(lived);
  if (lived.violation) break;
}
// What a broken operator left behind must not keep the process.
process.exit(0);

function report(line: Report): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function ordered(): readonly number[] {
  const mutant = mutants.find(({ name }) => name === values.mutant);
  if (!mutant) return seeds;
  return nearestFirst(
    seeds.map((seed) => ({ seed, text: JSON.stringify(drawScript(seed)) })),
    nearOf(mutant),
  );
}

async function live(seed: number): Promise<Report> {
  try {
    const { violations } = await runLife(drawScript(seed));
    const [violation] = violations;
    if (!violation) return { seed };
    const { invariant, message } = violation;
    const invariants = [...new Set(violations.map((one) => one.invariant))];
    return { seed, violation: { invariant, message }, invariants };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, violation: { invariant: '(thrown)', message }, invariants: ['(thrown)'] };
  }
}
