import type { Fault as ServiceFault } from '../service/faults.ts';

/** One request of a process, on its way. */
export interface Message {
  /** Its sender. */
  readonly process: string;
  readonly to: 'kubernetes' | 'service';
  /** The HTTP method. */
  readonly verb: string;
  /** An operation of the service by its router's name; for Kubernetes such as `patch sims/status`, `watch secrets`. */
  readonly route: string;
  /** Path and query. */
  readonly target: string;
  readonly body: string | undefined;
  /** Counts the messages of a world in the order in which they were begun, from 1. */
  readonly serial: number;
}

/**
 * Of a message: a connection is asked for; it leaves the process, whose fences have just been asked; the server carries it
 * out; the process has the answer.
 */
export type Moment = 'begun' | 'written' | 'arrived' | 'answered';

/** What the network does to a message. */
export type NetworkFault =
  /** No connection can be made. */
  | 'refused'
  /** It is written, and never arrives; the connection is cut. */
  | 'lost-request'
  /** It is carried out, and the connection is cut before the answer. */
  | 'lost-answer'
  /** It is carried out, and no answer ever comes. */
  | 'stall'
  /** Everything takes seconds. */
  | 'slow'
  /** It arrives twice; the first answer counts. */
  | 'doubled'
  /** The connection is cut, and it arrives long after that. */
  | 'delayed-arrival';

/** What becomes of messages that fit; the first armed that fits a message is the one. */
export interface ArmedFault {
  readonly to: Message['to'];
  /** Absent: any. */
  readonly fits?: (message: Message) => boolean;
  /** Meets so many messages. */
  readonly count: number;
  /** After it let so many that fit go by. */
  readonly skip?: number;
  readonly fault: NetworkFault | { readonly service: ServiceFault } | { readonly kubernetes: KubernetesRefusal };
  /** How much later, for `slow` and `delayed-arrival`. */
  readonly milliseconds?: number;
}

/** What the apiserver, or what stands before it, answers without doing anything. */
export type KubernetesRefusal = 403 | 409 | 410 | 429 | 500 | 503 | 504;

/** The faults that lie in wait. */
export interface Faults {
  arm(fault: ArmedFault): void;
  /** The one that this message meets. */
  take(message: Message): ArmedFault | undefined;
  clear(): void;
}

export function createFaults(): Faults {
  let armed: { fault: ArmedFault; skipped: number; left: number }[] = [];
  return {
    arm: (fault) => void armed.push({ fault, skipped: 0, left: fault.count }),
    take(message) {
      for (const one of armed) {
        const { to, fits, skip = 0 } = one.fault;
        if (to !== message.to || (fits && !fits(message))) continue;
        if (one.skipped < skip) {
          one.skipped++;
          continue;
        }
        one.left--;
        if (one.left === 0) armed = armed.filter((other) => other !== one);
        return one.fault;
      }
      return undefined;
    },
    clear() {
      armed = [];
    },
  };
}
