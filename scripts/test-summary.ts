import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: test-summary FILE, the report of vitest --reporter=json');
const report = z
  .object({
    numPassedTests: z.number(),
    numPendingTests: z.number(),
    success: z.boolean(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
  })
  .parse(JSON.parse(await readFile(file, 'utf8')));
// A file that cannot be set up fails although none of its tests has: they are skipped.
const failures = report.testResults.reduce((sum, { status, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === 'failed').length;
  return sum + Math.max(tests, status === 'failed' ? 1 : 0);
}, 0);
const failed = failures === 0 && !report.success ? 1 : failures;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
console.log(`${report.numPassedTests} passed, ${failed} failed${skipped}`);
