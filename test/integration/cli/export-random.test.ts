import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createReads } from '../../../src/cli/service/reads.ts';
import { systemClock } from '../../../src/clock.ts';
import { createCloudClient } from '../../../src/cloud/client.ts';
import { type DialectName, dialectNames } from '../../../src/cloud/dialect.ts';
import { createLimiter } from '../../../src/cloud/limiter/limiter.ts';
import { convert } from '../../../src/export/convert.ts';
import { readPicture } from '../../../src/export/read.ts';
import { selectionOf } from '../../../src/export/select.ts';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { resourceOf } from '../../../src/kubernetes/crd.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/server.ts';
import { generousLimits } from '../../support/client-of.ts';
import { replan } from '../../support/replan.ts';
import { anyWorld } from '../../support/seeds.ts';
import { testClient } from '../../support/world.ts';

const ACCOUNTS = 40;
const tokenOf = (number: number) => ({ accessToken: `token-${number}`, accessTokenSecret: 'secret' });
const selection = selectionOf([], []);

/** A service with so many accounts, each with what people may have made in it. */
function serviceOf(seed: number): Promise<Simulator> {
  const worlds = fc.sample(anyWorld, { seed, numRuns: ACCOUNTS });
  return startSimulator({
    listen: '127.0.0.1:0',
    control: '127.0.0.1:0',
    accessToken: 'nobody',
    accessTokenSecret: 'secret',
    seed: {
      accounts: worlds.map((world, number) => ({ name: `account-${number}`, ...tokenOf(number), ...world(number) })),
    },
    settings: { webAccelLimit: 100_000 },
  });
}

/** Looks at one of them as the command does, but without an hour to mind. */
async function look({ baseURL, ca }: Simulator, number: number, dialect: DialectName) {
  const client = createCloudClient({
    baseURL,
    ca,
    ...tokenOf(number),
    authentication: 'Basic',
    dialect,
    limiter: createLimiter({ clock: systemClock, limits: generousLimits }),
    clock: systemClock,
    random: () => 0,
    nonce: () => 'nonce',
    userAgent: 'edgeline-test',
  });
  try {
    const access = {
      reads: createReads(client),
      dialect,
      reserve: () => Promise.resolve(),
      usage: () => ({ claimed: 0, sent: 0, most: 500 }),
      hour: () =>
        Promise.resolve({ limit: 500, kept: 50, spent: 0, room: 450, moreAt: undefined, closedUntil: undefined }),
    };
    return await readPicture({
      access,
      selection,
      carriers: true,
      say: () => undefined,
      onListed: async () => undefined,
    });
  } finally {
    await client.close();
  }
}

// One that failed stands here until it is mended, and longer.
const seeds = [Number(process.env.SEED ?? 20_261_122)];
const services: Simulator[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

it.each(seeds.flatMap((seed) => dialectNames.map((dialect) => [seed, dialect] as const)))(
  'whatever people made (%i, %s): the operator plans nothing for what was exported, and the apiserver takes all of it',
  { timeout: 240_000 },
  async (seed, dialect) => {
    const service = await serviceOf(seed);
    services.push(service);
    const client = await testClient();
    let planned = 0;
    for (let number = 0; number < ACCOUNTS; number++) {
      const { picture, gaps } = await look(service, number, dialect);
      expect(gaps).toEqual([]);
      const exported = convert(picture, selection, { accountRef: undefined, observe: false, dialect });
      const outcomes = replan(exported, picture, dialect);
      expect(outcomes.filter(({ steps, drift }) => steps.length + drift.length > 0)).toEqual([]);
      planned += outcomes.length;
      for (const { kind, name, spec } of exported.manifests) {
        const definition = kindDefinitions.find((one) => one.kind === kind);
        if (!definition) throw new Error(`there is no kind ${kind}`);
        await client.create(resourceOf(definition), 'default', { metadata: { name }, spec }, { dryRun: true });
      }
    }
    expect(planned).toBeGreaterThan(ACCOUNTS * 4);
  },
);
