import type { FailureReason } from './failure-reason.ts';
import type { Hold, Step } from './plan.ts';

/**
 * What a pass is made from beside the spec and the service: Secrets, and what a person asked for by annotation. Each change
 * of them has a number, for a refusal by the service holds only for what it refused.
 */
export interface Inputs {
  /** Counts up with everything that may make the service take what it refused before. */
  readonly version: number;
  /** The version when the facts of the pass under way were gathered: what is refused then is refused to those. */
  readonly gathered: number;
  /** What was left to do when a plan failed last, as {@link stepsAsText}. */
  readonly left: string;
  /** What the service has refused, and to which spec and version. */
  readonly refusal:
    | {
        readonly generation: number;
        readonly version: number;
        /** What was left to do; undefined: an earlier process was refused it, and nothing tells what it was. */
        readonly left: string | undefined;
        /** Monotonic milliseconds. */
        readonly at: number;
        readonly hold: Hold<FailureReason>;
        /** How often just this was refused in a row. */
        readonly times: number;
        /** For now alone: it is tried again, when that has its turn. */
        readonly isPassing: boolean;
      }
    | undefined;
  /** What could not be read, without which nothing can be planned, for which spec and version, and how often in a row. */
  readonly unread:
    | {
        readonly generation: number;
        readonly version: number;
        readonly hold: Hold<FailureReason>;
        readonly times: number;
      }
    | undefined;
  /**
   * The call that failed in an earlier process, for which spec, and since when (monotonic milliseconds); undefined once there is
   * something new to try.
   */
  readonly failedBefore?: { readonly generation: number; readonly call: string; readonly since: number } | undefined;
}

export const noInputs: Inputs = { version: 0, gathered: 0, left: '', refusal: undefined, unread: undefined };

/** Steps as far as they tell by what they change: what is at the service may be other than it was when it refused them. */
function stepsAsText(steps: readonly Step[]): string {
  return JSON.stringify(steps.map(({ do: what, fields, changes }) => [what, fields, changes]));
}

/** What the inputs of a resource follow from. */
export type InputsEvent =
  /** A Secret changed, or a person asked for another try. */
  | { readonly type: 'changed' }
  /** Facts are about to be gathered. */
  | { readonly type: 'gathering' }
  /** They were. */
  | { readonly type: 'gathered' }
  /** They could not be: what they follow from was not read. */
  | { readonly type: 'unread'; readonly generation: number; readonly hold: Hold<FailureReason> }
  /** A plan failed with these steps left to do. */
  | { readonly type: 'failed'; readonly steps: readonly Step[] }
  /** The service refused what was made of this generation of the spec. */
  | {
      readonly type: 'refused';
      readonly generation: number;
      readonly at: number;
      readonly hold: Hold<FailureReason>;
      /** For now alone: it is tried again. */
      readonly isPassing: boolean;
    }
  /** What was refused for now is about to be sent again. */
  | { readonly type: 'tried'; readonly steps: readonly Step[] }
  /** It was left alone: what ends that is a person's word. */
  | { readonly type: 'paused' }
  /** Nothing is sent for now, and why: that is what keeps it from being read, or carried out, from now on. */
  | { readonly type: 'unsent'; readonly hold: Hold<FailureReason> }
  /** Nothing is left to do. */
  | { readonly type: 'settled' };

/** The next state. Pure. */
export function nextInputs(inputs: Inputs, event: InputsEvent): Inputs {
  switch (event.type) {
    case 'changed':
      return { ...inputs, version: inputs.version + 1, failedBefore: undefined };
    case 'gathering':
      return { ...inputs, gathered: inputs.version };
    case 'gathered':
      return { ...inputs, unread: undefined };
    case 'unread': {
      const { generation, hold } = event;
      const { unread, gathered: version } = inputs;
      const isSame = unread?.generation === generation && unread.version === version;
      return { ...inputs, unread: { generation, version, hold, times: isSame ? unread.times + 1 : 1 } };
    }
    case 'failed':
      return { ...inputs, left: stepsAsText(event.steps) };
    case 'refused': {
      const { generation, at, hold, isPassing } = event;
      const { refusal, gathered: version, left } = inputs;
      const isSame =
        refusal?.generation === generation &&
        refusal.version === version &&
        (refusal.left === undefined || refusal.left === left);
      const times = isSame ? refusal.times + 1 : 1;
      return { ...inputs, refusal: { generation, version, left, at, hold, times, isPassing } };
    }
    case 'tried': {
      const { refusal } = inputs;
      return { ...inputs, refusal: refusal && { ...refusal, left: refusal.left ?? stepsAsText(event.steps) } };
    }
    case 'paused':
      return { ...inputs, unread: undefined, refusal: inputs.refusal?.isPassing ? undefined : inputs.refusal };
    case 'unsent': {
      const { hold } = event;
      const { unread, refusal } = inputs;
      return {
        ...inputs,
        unread: unread && { ...unread, hold },
        refusal: refusal?.isPassing ? { ...refusal, hold } : refusal,
      };
    }
    case 'settled':
      return { ...inputs, refusal: undefined, failedBefore: undefined };
  }
}

/** Other steps than those that were refused are tried so long after, at the soonest. Milliseconds. */
const OTHER_STEPS_MILLISECONDS = 600_000;

/**
 * Why the service would refuse what it is about to be asked: it has refused just this before, or a moment ago something else
 * that was made of the same. `now`: monotonic milliseconds. `wait`: for so many what was refused for now waits for its turn.
 * Undefined steps: just those, as far as is known.
 */
export function refusalFor(
  { gathered, refusal }: Inputs,
  generation: number,
  steps: readonly Step[] | undefined,
  now: number,
  wait: () => number,
): Hold<FailureReason> | undefined {
  if (refusal?.generation !== generation || refusal.version !== gathered) return undefined;
  const isSame = steps === undefined || refusal.left === undefined || refusal.left === stepsAsText(steps);
  if (refusal.isPassing) {
    const left = isSame ? wait() : 0;
    return left > 0 ? { ...refusal.hold, retryAfterSeconds: left / 1000 } : undefined;
  }
  if (isSame) return refusal.hold;
  const left = refusal.at + OTHER_STEPS_MILLISECONDS - now;
  return left > 0 ? { ...refusal.hold, retryAfterSeconds: Math.ceil(left / 1000) } : undefined;
}

/** Why it is not read anew now: it could not be before, and waits for its turn. */
export function unreadFor(
  { gathered, unread }: Inputs,
  generation: number,
  wait: () => number,
): Hold<FailureReason> | undefined {
  if (unread?.generation !== generation || unread.version !== gathered) return undefined;
  const left = wait();
  return left > 0 ? { ...unread.hold, retryAfterSeconds: left / 1000 } : undefined;
}

/** Whether what is to be done is other than what was refused, as far as this process knows. */
export function isOtherThanRefused({ refusal }: Inputs, steps: readonly Step[]): boolean {
  return refusal?.left !== undefined && refusal.left !== stepsAsText(steps);
}

/** Whether something changed that no facts were gathered with yet. */
export function hasNewInputs({ version, gathered }: Inputs): boolean {
  return version !== gathered;
}
