import type { Clock } from '../../clock.ts';
import { type CloudError, type CloudErrorDetails, CredentialsRejectedError } from '../errors.ts';
import type { Api } from '../limiter/lanes.ts';

/**
 * The account's access token was refused a while ago and nothing has been sent since. Its class is
 * `CredentialsRejected`, as the cause's; its code is `CircuitOpen`; `retryAfterSeconds` is when the next probe may go.
 */
export class CircuitOpenError extends CredentialsRejectedError {
  override get code(): string {
    return 'CircuitOpen';
  }

  constructor(cause: CloudError, details: CloudErrorDetails) {
    super(
      `no request was sent, for the service refused the account's access token: ${cause.message}`,
      cause.advice,
      details,
    );
  }
}

/** What a refusal closes: the whole account (401), or one of its two APIs, for which the token has no permission (403). */
export type CircuitScope = 'account' | Api;

/**
 * One per account. Open, it makes every call fail at once without a request, but for one probe a window: a bad token
 * costs a dozen requests an hour, however many resources use it.
 */
export interface Circuit {
  /** Opens with the refusal that was the reason; further refusals replace the reason, not the time of the next probe. */
  open(error: CredentialsRejectedError, scope?: CircuitScope): void;
  /**
   * Call before a request is sent. Throws CircuitOpenError while open; true means this call is the window's probe,
   * false that the circuit is closed. `route` is only for the error.
   */
  check(api: Api, route: string): boolean;
  /** The service took the token for this API: closes what stood in its way. */
  accepted(api: Api): void;
  /** Closes everything; call when the Secret changed. */
  reset(): void;
  /** Whether the scope is closed to requests; default the whole account. */
  isOpen(scope?: CircuitScope): boolean;
  /** Whether every call fails at once now, with no probe due for the whole account. */
  isShut(): boolean;
}

interface OpenState {
  error: CredentialsRejectedError;
  /** Monotonic milliseconds. */
  probeAt: number;
}

export function createCircuit(options: {
  readonly clock: Clock;
  /** Default 300. */
  readonly windowSeconds?: number;
}): Circuit {
  const { clock } = options;
  const window = (options.windowSeconds ?? 300) * 1000;
  const open = new Map<CircuitScope, OpenState>();

  return {
    open(error, scope = 'account') {
      if (error instanceof CircuitOpenError) return;
      open.set(scope, { error, probeAt: open.get(scope)?.probeAt ?? clock.monotonic() + window });
    },
    check(api, route) {
      const now = clock.monotonic();
      const inTheWay = (['account', api] as const).flatMap((scope) => open.get(scope) ?? []);
      const closed = inTheWay.find((state) => now < state.probeAt);
      if (closed) {
        throw new CircuitOpenError(closed.error, {
          route,
          status: closed.error.status,
          errorCode: closed.error.errorCode,
          retryAfterSeconds: Math.ceil((closed.probeAt - now) / 1000),
          cause: closed.error,
        });
      }
      for (const state of inTheWay) state.probeAt = now + window;
      return inTheWay.length > 0;
    },
    accepted(api) {
      open.delete('account');
      open.delete(api);
    },
    reset: () => open.clear(),
    isOpen: (scope = 'account') => open.has(scope),
    isShut: () => clock.monotonic() < (open.get('account')?.probeAt ?? Number.NEGATIVE_INFINITY),
  };
}
