import type { Clock } from '../../clock.ts';
import type { OperatorOptions } from '../../operator/options.ts';
import type { Operator } from '../../operator/start.ts';
import { createLogger } from '../../telemetry/log.ts';
import type { Apiserver } from '../apiserver/apiserver.ts';
import type { Service } from '../service/types.ts';
import { bareOperator } from './bare-operator.ts';
import { createKubernetesTransport, type Watches } from './kubernetes.ts';
import type { Network, Sender } from './network.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { createServiceDispatcher } from './service.ts';

/** Wall clock at virtual 0 where nothing else is said, milliseconds since the Unix epoch. */
export const EPOCH = Date.UTC(2026, 0, 1);
/** A container that ended starts again after this long. Milliseconds. */
const RESTART_MILLISECONDS = 10_000;
/** Kubernetes kills who has not ended by then. Milliseconds. */
const GRACE_MILLISECONDS = 30_000;

/** An operator, as its pod sees it: it may end and start again any number of times. */
export interface OperatorProcess {
  readonly name: string;
  /** When it was started last; virtual milliseconds. */
  readonly startedAt: number;
  readonly isAlive: boolean;
  /** SIGKILL. It starts again after so many milliseconds; `never`: not at all. */
  kill(restart?: number | 'never'): void;
  /** SIGTERM; then as `kill`. */
  stop(restart?: number | 'never'): void;
  /** It stands still, and what comes meanwhile waits. Milliseconds. */
  pause(milliseconds: number): void;
  /** Its wall clock jumps, for good. Milliseconds. */
  stepClock(milliseconds: number): void;
  readonly watches: Watches;
  /** Things that are due some time in the process that lives now. */
  readonly timers: number;
  /** Messages of the process that lives now which are neither answered nor failed. */
  readonly underWay: number;
}

export interface ProcessOptions {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly apiserver: Apiserver;
  readonly service: Service;
  /** Wall clock at virtual 0, milliseconds since the Unix epoch. */
  readonly epoch: number;
  readonly random: Random;
  readonly name: string;
  readonly start: (options: OperatorOptions) => Promise<Operator>;
  readonly more: Partial<OperatorOptions>;
  readonly note: (line: string) => void;
  readonly onLog: (line: string) => void;
  readonly logLevel: 'silent' | 'error' | 'debug' | 'info';
}

/** One life of the process. */
interface Incarnation {
  isAlive: boolean;
  operator: Operator | undefined;
  timers: number;
  readonly watches: Watches;
  readonly sender: Sender;
}

export function createProcess(options: ProcessOptions): OperatorProcess {
  const { scheduler, network, name, note, epoch } = options;
  let current: Incarnation | undefined;
  let pausedUntil = 0;
  let offset = 0;
  let count = 0;
  let startedAt = 0;
  let next: number | 'never' = RESTART_MILLISECONDS;

  function begin(): void {
    count++;
    startedAt = scheduler.now();
    const random = options.random.fork(`${count}`);
    const nonces = random.fork('nonces');
    const sender: Sender = {
      name,
      after(milliseconds, run) {
        let cancel = () => {};
        incarnation.timers++;
        let isDue = true;
        const over = () => {
          if (isDue) incarnation.timers--;
          isDue = false;
        };
        const due = (): void => {
          if (!incarnation.isAlive) return over();
          const left = pausedUntil - scheduler.now();
          if (left > 0) {
            cancel = scheduler.after(left, due);
            return;
          }
          over();
          run();
        };
        cancel = scheduler.after(milliseconds, due);
        return () => {
          over();
          cancel();
        };
      },
    };
    const { transport, watches } = createKubernetesTransport(
      network,
      options.apiserver,
      sender,
      () => scheduler.now(),
      () => epoch + scheduler.now(),
    );
    const incarnation: Incarnation = { isAlive: true, operator: undefined, timers: 0, watches, sender };
    current = incarnation;
    note(`${name} starts`);
    const end = (why: string) => {
      if (!incarnation.isAlive) return;
      note(`${name} ends: ${why}`);
      terminate(incarnation);
    };
    const begun = options.start({
      ...defaults,
      clock: clockOf(sender, scheduler, () => epoch + offset),
      random: () => random.next(),
      nonce: () => nonceFrom(nonces),
      connect: async () => ({ namespace: 'edgeline-system', transport }),
      dispatcher: () => createServiceDispatcher(network, options.service, sender),
      instance: name,
      identity: name,
      log: createLogger({
        level: options.logLevel,
        format: 'json',
        destination: { write: (line) => void (incarnation.isAlive && options.onLog(line)) },
      }),
      onFatal: end,
      ...options.more,
    });
    void settled(incarnation, begun);
  }

  async function settled(incarnation: Incarnation, begun: Promise<Operator>): Promise<void> {
    try {
      incarnation.operator = await begun;
    } catch (error) {
      if (incarnation.isAlive) note(`${name} did not start: ${String(error)}`);
      die(incarnation);
    }
  }

  function die(incarnation: Incarnation): void {
    if (!incarnation.isAlive) return;
    incarnation.isAlive = false;
    incarnation.watches.cut();
    if (current === incarnation) current = undefined;
    pausedUntil = 0;
    const wait = next;
    next = RESTART_MILLISECONDS;
    note(`${name} is gone`);
    if (wait !== 'never') scheduler.after(wait, () => void (current ?? begin()));
  }

  function terminate(incarnation: Incarnation): void {
    scheduler.after(GRACE_MILLISECONDS, () => die(incarnation));
    if (incarnation.operator) void ended(incarnation, incarnation.operator);
    else die(incarnation);
  }

  async function ended(incarnation: Incarnation, operator: Operator): Promise<void> {
    try {
      await operator.stop();
    } catch (error) {
      note(`${name} did not stop: ${String(error)}`);
    }
    die(incarnation);
  }

  begin();
  return {
    name,
    get startedAt() {
      return startedAt;
    },
    get isAlive() {
      return current !== undefined;
    },
    get timers() {
      return current?.timers ?? 0;
    },
    get underWay() {
      return current ? network.underWay(current.sender) : 0;
    },
    kill(restart = RESTART_MILLISECONDS) {
      if (!current) return;
      next = restart;
      note(`${name} is killed`);
      die(current);
    },
    stop(restart = RESTART_MILLISECONDS) {
      if (!current) return;
      next = restart;
      note(`${name} is told to stop`);
      terminate(current);
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, scheduler.now() + milliseconds);
    },
    stepClock(milliseconds) {
      offset += milliseconds;
    },
    watches: {
      cut: () => current?.watches.cut(),
      freeze: (milliseconds) => current?.watches.freeze(milliseconds),
      seenUntil: () => current?.watches.seenUntil() ?? 0,
    },
  };
}

const defaults = {
  ...bareOperator,
  simPollSeconds: 60,
  sitePollSeconds: 300,
  workers: 50,
  version: '0.0.0-simulated',
  revision: 'simulated',
  heapBytes: 2 ** 31,
} as const;

function nonceFrom(random: Random): string {
  return Array.from({ length: 32 }, () => random.int(16).toString(16)).join('');
}

/** `epoch`: wall clock of this process at virtual 0. */
function clockOf(process: Sender, scheduler: Scheduler, epoch: () => number): Clock {
  return {
    now: () => epoch() + Math.floor(scheduler.now()),
    monotonic: () => scheduler.now(),
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = process.after(milliseconds, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        const abort = () => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
    after: (milliseconds, action) => process.after(milliseconds, action),
  };
}
