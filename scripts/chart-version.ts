import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Chart.yaml of the chart, with the version of package.json: the chart and the operator are released together. */
export function chartWithVersion(): string {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const chart = readFileSync(join('helm', 'edgeline', 'Chart.yaml'), 'utf8');
  return chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
}
