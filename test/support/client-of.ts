import { systemClock } from '../../src/clock.ts';
import { type CloudClient, type CloudClientOptions, createCloudClient } from '../../src/cloud/client.ts';
import { createLimiter } from '../../src/cloud/limiter/limiter.ts';
import { randomNonce } from '../../src/commands/nonce.ts';
import type { HTTPSServer, TestCertificates } from './https-server.ts';

/** Limits that never stand in the way. */
export const generousLimits = {
  webAccelRequestsPerHour: 1_000_000,
  cloudRequestsPerSecond: 1_000_000,
  cloudConcurrency: 1000,
  webAccelSpacingMilliseconds: 0,
};

/** A client of a test server: Basic, Documented, without jitter, unless told otherwise. */
export function clientOf(
  server: Pick<HTTPSServer, 'baseURL'>,
  certificates: TestCertificates,
  options: Partial<CloudClientOptions> = {},
): CloudClient {
  const clock = options.clock ?? systemClock;
  return createCloudClient({
    baseURL: server.baseURL,
    accessToken: 'token',
    accessTokenSecret: 'token-secret',
    authentication: 'Basic',
    ca: certificates.ca,
    dialect: 'Documented',
    limiter: createLimiter({ clock, limits: generousLimits }),
    clock,
    random: () => 0,
    nonce: randomNonce,
    userAgent: 'edgeline-test',
    ...options,
  });
}
