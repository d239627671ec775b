import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CloudClient } from '../../../src/cloud/client.ts';
import { type DialectClients, startDialectClients } from '../../support/dialect-clients.ts';

let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());

/** The folder of each area of the client, by its member there. */
const areas = {
  sims: 'sim',
  gateways: 'gateway',
  servers: 'server',
  sites: 'site',
  raw: 'raw',
} as const satisfies Record<Exclude<keyof CloudClient, 'close'>, string>;

it.each(Object.entries(areas))('each operation of %s is tried in test/unit/cloud/%s/api.test.ts', (member, folder) => {
  const text = readFileSync(join(import.meta.dirname, folder, 'api.test.ts'), 'utf8');
  const operations = Object.keys(Object(Reflect.get(service.client(), member)));
  expect(operations.length).toBeGreaterThan(0);
  expect(operations.filter((name) => !new RegExp(`\\.${name}\\(`).test(text))).toEqual([]);
});
