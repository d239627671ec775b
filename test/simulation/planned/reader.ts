import type { Clock } from '../../../src/clock.ts';
import { createCloudClient } from '../../../src/cloud/client.ts';
import type { UsedAccount } from '../../../src/plan/accounts.ts';
import type { ServiceReader } from '../../../src/plan/picture/read.ts';
import type { Service } from '../../../src/shadow/service/types.ts';
import type { Network } from '../../../src/shadow/world/network.ts';
import { createServiceDispatcher } from '../../../src/shadow/world/service.ts';

/** What is sent arrives at once, and so does the answer. */
const instantly: Pick<Network, 'carry'> = {
  carry(_from, _message, { onWire, arrive, answered, failed }) {
    queueMicrotask(() => {
      onWire?.();
      const answer = arrive(undefined);
      if (typeof answer === 'object') answered(answer);
      else failed(new Error(answer), true);
    });
    return () => {};
  },
};

/** Reads a simulated service as it is now; whatever would be a write fails. `now`: milliseconds since the Unix epoch. */
export function readerOf(service: Service, { account, credentials }: UsedAccount, now: () => number): ServiceReader {
  const clock: Clock = { now, monotonic: now, sleep: async () => {}, after: () => () => {} };
  return createCloudClient({
    baseURL: account.spec.baseURL,
    accessToken: credentials?.accessToken ?? '',
    accessTokenSecret: credentials?.accessTokenSecret ?? '',
    authentication: account.spec.authentication ?? 'Basic',
    dialect: account.spec.dialect ?? 'Documented',
    limiter: { acquire: async () => ({ sent() {}, release() {} }), throttled() {}, overloaded() {} },
    clock,
    random: () => 0.5,
    nonce: () => 'nonce',
    userAgent: 'plan',
    beforeWrite() {
      throw new Error('a plan writes nothing');
    },
    dispatcher: () => createServiceDispatcher(instantly, service, { name: 'plan', after: () => () => {} }),
  });
}
