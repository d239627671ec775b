import { ApiError } from './api-error.ts';
import type { World } from './model.ts';
import type { Simulation } from './simulation.ts';
import { touchBudget } from './touch.ts';

const SECOND_MILLISECONDS = 1000;
const HOUR_MILLISECONDS = 3_600_000;

/** Counts a web acceleration request of the account; 429 when the last hour is full (`api.md`, Limits). */
export function spendWebAccelRequest(simulation: Simulation, world: World): void {
  const now = simulation.clock.now();
  const times = world.webAccelRequests;
  forget(times, now - HOUR_MILLISECONDS);
  const { webAccelLimit } = simulation.settings;
  if (times.length >= webAccelLimit) {
    const oldest = times[times.length - webAccelLimit] ?? now;
    const retryAfter = Math.max(1, Math.ceil((oldest + HOUR_MILLISECONDS - now) / 1000));
    const message = `the account has made ${webAccelLimit} requests within an hour`;
    throw new ApiError(429, 'too_many_request', message, { retryAfter });
  }
  times.push(now);
  touchBudget(world, now);
}

/**
 * Counts a request of any other API; 503 when the last second is full. No such limit is published (`api.md`, Limits), only
 * the code with which the service refuses (`facts.md`), without a time.
 */
export function spendCloudRequest(simulation: Simulation, world: World): void {
  const { cloudLimit } = simulation.settings;
  if (cloudLimit === null) return;
  const now = simulation.clock.now();
  const times = world.cloudRequests;
  forget(times, now - SECOND_MILLISECONDS);
  if (times.length >= cloudLimit) {
    throw new ApiError(503, 'too_many_request', `the account has made ${cloudLimit} requests within a second`);
  }
  times.push(now);
}

/** Drops what is not later than that. */
function forget(times: number[], end: number): void {
  const firstKept = times.findIndex((time) => time > end);
  if (firstKept !== 0) times.splice(0, firstKept < 0 ? times.length : firstKept);
}
