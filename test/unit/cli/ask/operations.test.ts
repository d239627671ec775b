import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gatewayOperations } from '../../../../src/cli/ask/gateway.ts';
import { serverOperations } from '../../../../src/cli/ask/server.ts';
import { simOperations } from '../../../../src/cli/ask/sim.ts';
import { siteOperations } from '../../../../src/cli/ask/site.ts';
import { packageRoot } from '../../../../src/sandbox/package-root.ts';

const textOf = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

it.each([
  ['sim', simOperations],
  ['gateway', gatewayOperations],
  ['site', siteOperations],
  ['server', serverOperations],
])('each operation of edgeline %s has its command, and is tried with the simulator', (area, operations) => {
  const command = textOf(`src/commands/${area}.ts`);
  const tests = textOf('test/integration/cli/ask.test.ts');
  const names = Object.keys(operations);
  expect(names.filter((name) => !new RegExp(`operations\\.${name}\\(|about\\('${name}'`).test(command))).toEqual([]);
  expect(names.filter((name) => !new RegExp(`\\b${area}Operations\\.${name}\\b`).test(tests))).toEqual([]);
});
