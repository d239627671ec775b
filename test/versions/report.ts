import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as z from 'zod';
import { minorOf } from './adaptations.ts';

/** What became of the tests on one version of Kubernetes, as results.json keeps it. */
const resultSchema = z.object({
  /** `1.32.13`. */
  kubernetes: z.string(),
  passed: z.int(),
  /** Each with its file: `test/integration/told.test.ts: …`. */
  failed: z.array(z.string()),
  /** Those that said that they are not about this version. */
  notApplicable: z.array(z.string()),
  /** The day. */
  on: z.iso.date(),
  command: z.string(),
});
export type VersionResult = z.infer<typeof resultSchema>;

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/**
 * Counts what Vitest's JSON reporter wrote. A test that did not run, in a file that failed, counts as failed: whether it would have been
 * skipped is not known.
 *
 * @param root the directory that names of files are told from.
 * @throws Error when no test ran: then there is nothing to record.
 */
export function outcomeOf(report: unknown, root: string): Pick<VersionResult, 'passed' | 'failed' | 'notApplicable'> {
  const { testResults } = reportSchema.parse(report);
  const outcome = { passed: 0, failed: new Array<string>(), notApplicable: new Array<string>() };
  for (const { name, status: ofFile, message, assertionResults } of testResults) {
    const file = relative(root, name);
    for (const { fullName, status } of assertionResults) {
      if (status === 'passed') outcome.passed++;
      else if (status === 'failed') outcome.failed.push(`${file}: ${fullName}`);
      else if (ofFile === 'failed') outcome.failed.push(`${file}: ${fullName} (did not run)`);
      else outcome.notApplicable.push(`${file}: ${fullName}`);
    }
    const isTold = assertionResults.some(({ status }) => status !== 'passed');
    if (ofFile === 'failed' && !isTold)
      outcome.failed.push(`${file}: ${message.split('\n')[0] || 'it could not be read'}`);
  }
  if (outcome.passed + outcome.failed.length === 0) throw new Error('no test ran; what Vitest printed says why');
  return outcome;
}

/** The results with one more, in place of an earlier one of the same minor version; oldest version first. */
export function withResult(results: readonly VersionResult[], added: VersionResult): VersionResult[] {
  const others = results.filter((one) => minorOf(one.kubernetes) !== minorOf(added.kubernetes));
  return [...others, added].sort((a, b) => minorOf(a.kubernetes) - minorOf(b.kubernetes));
}

/** What earlier runs recorded in a file. */
export function readResults(file: string): VersionResult[] {
  return existsSync(file) ? z.array(resultSchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}
