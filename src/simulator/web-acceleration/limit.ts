import { ApiError } from '../api-error.ts';
import type { World } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { touchBudget } from '../touch.ts';

const hour = 3_600_000;

/** Counts a web acceleration request of the account; 429 when the last hour is full (`api.md`, Limits). */
export function spendWebAccelRequest(simulation: Simulation, world: World): void {
  const now = simulation.clock.now();
  const times = world.webAccelRequests;
  const firstKept = times.findIndex((time) => time > now - hour);
  if (firstKept !== 0) times.splice(0, firstKept < 0 ? times.length : firstKept);
  const { webAccelLimit } = simulation.settings;
  if (times.length >= webAccelLimit) {
    const oldest = times[times.length - webAccelLimit] ?? now;
    const retryAfter = Math.max(1, Math.ceil((oldest + hour - now) / 1000));
    const message = `the account has made ${webAccelLimit} requests within an hour`;
    throw new ApiError(429, 'too_many_request', message, { retryAfter });
  }
  times.push(now);
  touchBudget(world, now);
}
