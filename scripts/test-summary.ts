import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: test-summary FILE, the report of vitest --reporter=json');
const report = z
  .object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number(), success: z.boolean() })
  .parse(JSON.parse(await readFile(file, 'utf8')));
const failed = report.numFailedTests === 0 && !report.success ? 1 : report.numFailedTests;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
console.log(`${report.numPassedTests} passed, ${failed} failed${skipped}`);
