import { getHeapStatistics } from 'node:v8';
import { systemClock } from '../../src/clock.ts';
import { httpsDispatcher } from '../../src/cloud/http/dispatcher.ts';
import { createAccountRegistry } from '../../src/kinds/cloud-account/registry.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';

/*
 * A process with the memory that its flags say, and with accounts at a service that sends as much as it can. Prints which
 * of them were listed, and ends by itself; it is started by a test, with the base URL, the CA and how many accounts.
 */
const [baseURL = '', ca = '', count = '0'] = process.argv.slice(2);
// The clock's timers keep no process alive.
const alive = setInterval(() => {}, 1000);
const registry = createAccountRegistry({
  clock: systemClock,
  random: () => 0.5,
  nonce: () => 'nonce',
  dispatcher: httpsDispatcher,
  userAgent: 'edgeline-test',
  fence() {},
  pausedBy: () => undefined,
  onRequest() {},
  simPollSeconds: 0.1,
  sitePollSeconds: 3600,
  listBytes: getHeapStatistics().heap_size_limit / 8,
  onHealth() {},
  onRecordWanted() {},
  onUntold() {},
});

function open(token: string) {
  return registry.open(token, {
    baseURL,
    accessToken: new SecretValue(token),
    accessTokenSecret: new SecretValue('secret'),
    authentication: 'Basic',
    ca: Buffer.from(ca, 'base64').toString(),
    dialect: 'Documented',
    limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 1000 },
  });
}

const hostile = Array.from({ length: Number(count) }, (_, index) => open(`hostile-${index}`));
const honest = open('honest');
const ends: string[] = [];
for (let round = 0; round < 2; round++) {
  const looks = hostile.map(({ sims }) =>
    sims.observeAfter(systemClock.monotonic()).then(
      () => 'listed',
      (error: { class?: string }) => String(error.class),
    ),
  );
  ends.push(...(await Promise.all(looks)));
}
const { items } = await honest.sims.observeAfter(systemClock.monotonic());
const rss = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ hostile: [...new Set(ends)], honest: items.size, rss }));
clearInterval(alive);
await registry.stop();
