import { type ArmedFault, createFaults, type Faults, type Message, type Moment } from './messages.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** What the network needs to know of a process that sends. */
export interface Sender {
  readonly name: string;
  /** As a timer of the process: it waits while the process stands still, and never comes once it is dead. */
  after(milliseconds: number, run: () => void): () => void;
}

/** An error as sockets have it. */
export class SocketError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`simulated ${code}`);
    this.code = code;
  }
}

/** How one message is carried; `A` is an answer. */
export interface Carriage<A> {
  /** Asked right before the message leaves; throws where it must not. */
  readonly onWire: (() => void) | undefined;
  /** The server carries it out, or what a fault makes of it. */
  arrive(fault: ArmedFault | undefined): A | 'cut' | 'stall';
  answered(answer: A): void;
  /** No answer comes; `isWritten`: the message left the process. */
  failed(error: unknown, isWritten: boolean): void;
}

export type MessageListener = (
  moment: Moment,
  message: Message,
  answer: { readonly status: number } | undefined,
) => void;

export interface Network {
  readonly faults: Faults;
  /** Gives a message its number and sends it. Returns what gives it up: unless it was written, it never leaves. */
  carry<A extends { readonly status: number }>(
    from: Sender,
    message: Omit<Message, 'serial' | 'process'>,
    carriage: Carriage<A>,
  ): () => void;
  /** Every connection to there is refused for so long, whoever asks, unless one process is named. */
  partition(to: Message['to'], milliseconds: number, process?: string): void;
  /** From now on everything is quick, and nothing goes wrong. */
  calm(): void;
  onMessage(listener: MessageListener): void;
  /** A delay of the network as it is today; milliseconds. */
  latency(): number;
  /** Messages that a sender has begun, and that are neither answered nor failed. */
  underWay(from: Sender): number;
  /** Messages begun. */
  readonly begun: number;
}

/** Longest any of this takes once it is calm; milliseconds. */
const CALM = 4;

export function createNetwork(scheduler: Scheduler, random: Random): Network {
  const faults = createFaults();
  const listeners: MessageListener[] = [];
  let partitions: { to: Message['to']; until: number; process: string | undefined }[] = [];
  let isCalm = false;
  let serial = 0;
  const underWay = new WeakMap<Sender, number>();

  function latency(): number {
    if (isCalm) return 1 + random.next() * (CALM - 1);
    // Mostly quick, now and then slow: so that what was sent later often arrives first.
    const draw = random.next();
    return draw < 0.9 ? 1 + draw * 20 : draw < 0.99 ? 20 + random.next() * 300 : 300 + random.next() * 3000;
  }

  function count(from: Sender, more: number): void {
    underWay.set(from, (underWay.get(from) ?? 0) + more);
  }

  function isCut({ to, process }: Message): boolean {
    if (partitions.length === 0) return false;
    partitions = partitions.filter(({ until }) => until > scheduler.now());
    return partitions.some((one) => one.to === to && (one.process === undefined || one.process === process));
  }

  return {
    faults,
    latency,
    underWay: (from) => underWay.get(from) ?? 0,
    get begun() {
      return serial;
    },
    carry(from, request, { onWire, arrive, answered, failed }) {
      const message: Message = { ...request, process: from.name, serial: ++serial };
      const tell = (moment: Moment, answer?: { readonly status: number }) =>
        listeners.forEach((listener) => listener(moment, message, answer));
      let isWritten = false;
      let isOver = false;
      count(from, 1);
      const over = (): boolean => {
        if (isOver) return true;
        isOver = true;
        count(from, -1);
        return false;
      };
      const fail = (error: unknown): void => {
        if (!over()) failed(error, isWritten);
      };
      const fault = faults.take(message);
      const what = fault?.fault;
      const extra = what === 'slow' ? (fault?.milliseconds ?? 5000) / 3 : 0;

      tell('begun');
      from.after(latency() + extra, () => {
        if (isOver) return;
        if (what === 'refused' || isCut(message)) return fail(new SocketError('ECONNREFUSED'));
        try {
          onWire?.();
        } catch (error) {
          return fail(error);
        }
        isWritten = true;
        tell('written');
        const cut = () => from.after(latency(), () => fail(new SocketError('ECONNRESET')));
        if (what === 'lost-request') return void cut();
        if (what === 'delayed-arrival') cut();
        const late = what === 'delayed-arrival' ? (fault?.milliseconds ?? 10_000) : 0;
        scheduler.after(latency() + extra + late, () => {
          tell('arrived');
          const answer = arrive(fault);
          if (what === 'doubled') scheduler.after(latency(), () => void (tell('arrived'), arrive(fault)));
          if (what === 'delayed-arrival' || what === 'stall' || answer === 'stall') return;
          if (what === 'lost-answer' || answer === 'cut') return void cut();
          from.after(latency() + extra, () => {
            if (over()) return;
            tell('answered', answer);
            answered(answer);
          });
        });
      });
      return () => void over();
    },
    partition: (to, milliseconds, process) =>
      void partitions.push({ to, until: scheduler.now() + milliseconds, process }),
    calm() {
      isCalm = true;
      partitions = [];
      faults.clear();
    },
    onMessage: (listener) => void listeners.push(listener),
  };
}
