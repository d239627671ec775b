import type { HttpHandler } from './http.ts';
import type { Metrics } from './metrics.ts';

/** Throws, or rejects, when all is not well; the message is shown to nobody but the log. */
export type HealthCheck = () => void | Promise<void>;

/** By name, such as `informers`; names appear in the answer. */
export type HealthChecks = Record<string, HealthCheck>;

/**
 * The paths kubelet asks, answering as the apiserver's own do: `ok` or what failed, one line a check with `?verbose`,
 * a check left out with `?exclude=NAME`, and one check alone at `/livez/NAME`. `onFailure` is told the reason.
 */
export function healthHandlers(
  checks: { live: HealthChecks; ready: HealthChecks },
  onFailure?: (check: string, error: unknown) => void,
): Record<string, HttpHandler> {
  return {
    '/livez': handler('livez', checks.live, onFailure),
    '/healthz': handler('healthz', checks.live, onFailure),
    '/readyz': handler('readyz', { ...checks.live, ...checks.ready }, onFailure),
  };
}

/** `/metrics`. */
export function metricsHandlers(metrics: Metrics): Record<string, HttpHandler> {
  return {
    '/metrics': async () => ({ status: 200, contentType: metrics.contentType, body: await metrics.text() }),
  };
}

const TEXT = 'text/plain; charset=utf-8';

function handler(
  endpoint: string,
  checks: HealthChecks,
  onFailure: ((check: string, error: unknown) => void) | undefined,
): HttpHandler {
  return async (query, rest) => {
    if (rest !== '' && !Object.hasOwn(checks, rest)) return { status: 404, contentType: TEXT, body: 'not found\n' };
    const excluded = new Set(query.getAll('exclude'));
    const asked = Object.entries(checks).filter(([name]) => (rest === '' ? !excluded.has(name) : name === rest));
    const lines: string[] = [];
    let failed = false;
    for (const [name, check] of asked) {
      try {
        await check();
        lines.push(`[+]${name} ok`);
      } catch (error) {
        failed = true;
        lines.push(`[-]${name} failed: reason withheld`);
        onFailure?.(name, error);
      }
    }
    if (failed) return { status: 503, contentType: TEXT, body: `${lines.join('\n')}\n${endpoint} check failed\n` };
    const body = query.has('verbose') ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok';
    return { status: 200, contentType: TEXT, body };
  };
}
