import type { Clock } from '../../clock.ts';
import { CloudError } from '../errors.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import type { WriteReport } from '../write-report.ts';
import { type CallSite, isNotBegun } from './answer-errors.ts';

/** Reports each request of one call that leaves, once. */
export interface WriteReports {
  /** The options of the call, to be used from now on. */
  readonly options: CallOptions;
  /** An answer came whole; it may prove to be none. */
  answered(status: number): void;
  /** The answer says that it was done. */
  done(): void;
  /** The request under way failed, if one is. */
  failed(error: unknown): void;
}

/** Of a call that is no write, or whose caller wants no reports, nothing is noted. */
export function reportWrites(site: CallSite, o: CallOptions, clock: Clock): WriteReports {
  const { onWrite } = o;
  if (!site.write || !onWrite) return { options: o, answered() {}, done() {}, failed() {} };
  let attempt = 0;
  let sentAt: number | undefined;
  let status: number | undefined;
  function report(what: Pick<WriteReport, 'outcome'> & Partial<Pick<WriteReport, 'status' | 'code' | 'serial'>>): void {
    if (sentAt === undefined) return;
    const milliseconds = Math.round(clock.monotonic() - sentAt);
    sentAt = undefined;
    const { route, name: request } = site;
    onWrite?.({ route, request, attempt, status, code: undefined, serial: undefined, ...what, milliseconds });
  }
  return {
    options: {
      ...o,
      onQueued() {
        // What still has no end when the next begins to wait for its turn was challenged.
        report({ outcome: 'refused', status: 401, code: 'challenge' });
        o.onQueued?.();
      },
      onSent() {
        attempt++;
        sentAt = clock.monotonic();
        status = undefined;
        o.onSent?.();
      },
    },
    answered(code) {
      status = code;
    },
    done: () => report({ outcome: 'done' }),
    failed(error) {
      const { status: told, errorCode, serial } = error instanceof CloudError ? error : {};
      const of = { status: status ?? told, errorCode };
      report({ outcome: wasRefused(of) ? 'refused' : 'unclear', status: of.status, code: errorCode, serial });
    },
  };
}

/** Whether an answer says that nothing was done. Of one of 5xx only its code may: what failed there may have been done before. */
function wasRefused({ status, errorCode }: { status: number | undefined; errorCode: string | undefined }): boolean {
  if (status === undefined || (status >= 200 && status < 300)) return false;
  return status < 500 || isNotBegun(status, errorCode);
}
