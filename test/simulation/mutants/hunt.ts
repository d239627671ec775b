import { parseArgs } from 'node:util';
import { drawScript } from '../life/draw/script.ts';
import { runLife } from '../life/run.ts';

/*
 * Lives seed after seed until a promise is broken, in the tree that it lies in. Each line of its output is a `Report`.
 */

/** What one life came to; the first with a violation is the last. */
export interface Report {
  readonly seed: number;
  /** The first promise that was not kept. */
  readonly violation?: { readonly invariant: string; readonly message: string };
  /** Of all that were not kept, once each. */
  readonly invariants?: readonly string[];
}

const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });

for (let seed = Number(values.from); seed <= Number(values.to); seed++) {
  const report = await live(seed);
  process.stdout.write(`${JSON.stringify(report)}\n`);
  if (report.violation) break;
}
// What a broken operator left behind must not keep the process.
process.exit(0);

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
