import type { Clock } from '../../src/clock.ts';
import type { CloudClient } from '../../src/cloud/client.ts';
import { createListMemory } from '../../src/cloud/list/memory.ts';
import { type CloudLists, type CloudListsOptions, createCloudLists } from '../../src/kinds/cloud-account/lists.ts';

/** The lists of an account whose client has so much, and of which nobody is told. */
export function cloudListsOf(clock: Clock, client: object, options: Partial<CloudListsOptions> = {}): CloudLists {
  return createCloudLists({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the client, only what the test gives is asked for
    client: () => client as CloudClient,
    clock,
    random: () => 0.5,
    memory: createListMemory(1e9),
    party: () => 'fleet',
    wasDeleted: () => false,
    pollSeconds: 60,
    hour: { budget: () => ({ used: 0, limit: 500, reads: 450, changes: 480 }), had: () => 0 },
    requestsPerSecond: () => 10,
    sitePollSeconds: 60,
    onSim() {},
    onGateway() {},
    onSite() {},
    onList: { sims() {}, gateways() {}, sites() {} },
    onHealth() {},
    ...options,
  });
}
