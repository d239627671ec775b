import type { OperatorOptions } from '../../operator/options.ts';
import { type Operator, startOperator } from '../../operator/start.ts';
import type { Apiserver } from '../apiserver/apiserver.ts';
import type { Service } from '../service/types.ts';
import type { ArmedFault, Message } from './messages.ts';
import { createNetwork, type MessageListener } from './network.ts';
import { createProcess, EPOCH, type OperatorProcess } from './process.ts';
import type { Random } from './random.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

export { EPOCH };

/** The apiserver sends bookmarks about this often. Milliseconds. */
const BOOKMARK_MILLISECONDS = 60_000;

/** A cluster, a service, and operators between them, in one process and in virtual time. */
export interface World {
  readonly apiserver: Apiserver;
  readonly service: Service;
  /** Wall clock at the start, milliseconds since the Unix epoch. */
  readonly epoch: number;
  /** Virtual milliseconds since the start. */
  now(): number;
  /** At a moment of virtual time, or at once if it has passed. */
  at(milliseconds: number, run: () => void): void;
  /** Starts an operator, whose pod has this name. */
  start(name: string, more?: Partial<OperatorOptions>): OperatorProcess;
  readonly processes: readonly OperatorProcess[];
  /** What happened in the cluster up to this moment, a process was told of what it watches. */
  seenUntil(process: string): number;
  arm(fault: ArmedFault): void;
  /** For so long nobody, or one process, reaches the cluster or the service; watches are cut. Milliseconds. */
  partition(to: Message['to'], milliseconds: number, process?: string): void;
  /** From now on nothing goes wrong any more. */
  calm(): void;
  onMessage(listener: MessageListener): void;
  /** Told of every line that an operator logs. */
  onLog(listener: (process: string, line: string) => void): void;
  /** Puts a line into the trace. */
  note(line: string): void;
  /** Lives until a moment of virtual time, or until `until` says so. */
  run(end: number, until?: () => boolean): Promise<void>;
  /** Messages under way of processes that live. */
  readonly underWay: number;
  /** Messages so far. */
  readonly messages: number;
  /** Things that happened so far: timers, and parts of the ways of messages. */
  readonly happened: number;
  /** What happened so far, if it is written down. */
  readonly trace: readonly string[];
}

export interface WorldOptions {
  readonly random: Random;
  readonly apiserver: (now: () => number, random: Random) => Apiserver;
  readonly service: (now: () => number, random: Random) => Service;
  /** Write down what happens. */
  readonly trace?: boolean;
  readonly logLevel?: 'silent' | 'error' | 'debug' | 'info';
  /** Wall clock at virtual 0, milliseconds since the Unix epoch; default the same in every world. */
  readonly epoch?: number;
  /** Of the sources to live through; default these. */
  readonly startOperator?: (options: OperatorOptions) => Promise<Operator>;
}

export function createWorld(options: WorldOptions): World {
  const { random, epoch = EPOCH } = options;
  const scheduler: Scheduler = createScheduler(random.fork('order'));
  const network = createNetwork(scheduler, random.fork('network'));
  const wall = () => epoch + Math.floor(scheduler.now());
  const apiserver = options.apiserver(wall, random.fork('apiserver'));
  const service = options.service(wall, random.fork('service'));
  const processes: OperatorProcess[] = [];
  const logListeners: ((process: string, line: string) => void)[] = [];
  const trace: string[] = [];
  const note = options.trace ? (line: string) => void trace.push(`${scheduler.now().toFixed(3)} ${line}`) : () => {};

  function bookmark(): void {
    apiserver.bookmark();
    scheduler.after(BOOKMARK_MILLISECONDS, bookmark);
  }
  scheduler.after(BOOKMARK_MILLISECONDS, bookmark);
  if (options.trace) {
    network.onMessage((moment, { serial, process, verb, target, route, body }, answer) => {
      const what = moment === 'begun' ? `${verb} ${target}${body === undefined ? '' : ` ${body}`}` : route;
      note(`${process} #${serial} ${moment} ${what}${answer ? ` → ${answer.status}` : ''}`);
    });
    apiserver.onChange(({ resource, old, new: stored, user }) => {
      note(`cluster: ${user} ${resource} ${JSON.stringify(stored ?? { gone: old?.metadata.name })}`);
    });
    service.onChange(({ from, account, route, ids, status }) => {
      note(`service: ${from} ${account} ${route} ${ids.join(',')} ${status}`);
    });
  }

  return {
    apiserver,
    service,
    epoch,
    now: () => scheduler.now(),
    at: (milliseconds, run) => void scheduler.after(milliseconds - scheduler.now(), run),
    start(name, more = {}) {
      const process = createProcess({
        scheduler,
        network,
        apiserver,
        service,
        epoch,
        random: random.fork(`process ${name}`),
        name,
        start: options.startOperator ?? startOperator,
        more,
        note,
        logLevel: options.logLevel ?? 'silent',
        onLog(line) {
          // The only time in a line is that of the machine.
          if (options.trace) note(`${name} logs ${line.trim().replace(/"time":"[^"]*",?/, '')}`);
          for (const listener of logListeners) listener(name, line);
        },
      });
      processes.push(process);
      return process;
    },
    processes,
    seenUntil: (name) => processes.find((one) => one.name === name)?.watches.seenUntil() ?? 0,
    arm: (fault) => network.faults.arm(fault),
    partition(to, milliseconds, process) {
      network.partition(to, milliseconds, process);
      if (to !== 'kubernetes') return;
      for (const one of processes) if (process === undefined || one.name === process) one.watches.cut();
    },
    calm: () => network.calm(),
    onMessage: (listener) => network.onMessage(listener),
    onLog: (listener) => void logListeners.push(listener),
    note,
    run: (end, until) => scheduler.run(end, until),
    get underWay() {
      return processes.reduce((sum, process) => sum + process.underWay, 0);
    },
    get messages() {
      return network.begun;
    },
    get happened() {
      return scheduler.happened;
    },
    trace,
  };
}
