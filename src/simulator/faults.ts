import * as z from 'zod';
import { delayField } from './fields.ts';
import { fitsGlob } from './glob.ts';

const whole = z.int('write a whole number').nonnegative('write 0 or more');

/** What `POST /faults` of the control port takes. */
export const faultSchema = z.strictObject({
  /** A route as the log names it; `*` stands for anything, also in part: `PUT *`. */
  route: z.string('write a route').max(512, 'write at most 512 characters').default('*'),
  /** Only requests about the object with this ID. */
  of: z.string('write an ID').max(64, 'write at most 64 characters').optional(),
  /** Answer with this HTTP status and the service's error body. */
  code: z.int('write an HTTP status').min(400, 'write 400 to 599').max(599, 'write 400 to 599').optional(),
  errorCode: z.string().optional(),
  /** The chance that a matching request meets the fault; 1 unless given. */
  rate: z.number().min(0, 'write 0 to 1').max(1, 'write 0 to 1').default(1),
  /** How many requests meet it; without it there is no end. */
  count: whole.optional(),
  /** Matching requests let pass first. */
  skip: whole.default(0),
  /** Before or after the change is made. */
  when: z.enum(['before', 'after'], 'write before or after').default('before'),
  latencyMs: delayField.optional(),
  /** Close the connection without an answer. */
  cut: z.boolean().optional(),
  /** Never answer, and leave the connection open. */
  stall: z.boolean().optional(),
  /** Answer 200 with JSON that breaks off. */
  garbage: z.boolean().optional(),
  /** Seconds, for the header `Retry-After` beside `code`. */
  retryAfter: z.number().nonnegative().optional(),
  /** Hold the request until it is released or dropped. */
  hold: z.boolean().optional(),
});

export type FaultInput = z.input<typeof faultSchema>;
type FaultOptions = z.infer<typeof faultSchema>;

export interface Fault extends FaultOptions {
  readonly id: string;
  /** Matching requests seen. */
  readonly matched: number;
  /** Requests that met the fault. */
  readonly fired: number;
}

export interface Faults {
  /** Adds a fault; undefined when its route fits no operation. */
  add(options: FaultOptions): Fault | undefined;
  list(): readonly Fault[];
  remove(id: string): boolean;
  clear(): void;
  /** The faults a request on this route meets now; `ids` are those in its path. */
  take(route: string, ids?: readonly string[]): readonly Fault[];
}

type Armed = Fault & { matched: number; fired: number };

export function createFaults(routes: readonly string[], random: () => number): Faults {
  let armed: Armed[] = [];
  let last = 0;
  return {
    add(options) {
      if (!routes.some((route) => fitsGlob(options.route, route))) return undefined;
      const fault = { ...options, id: String(++last), matched: 0, fired: 0 };
      armed.push(fault);
      return fault;
    },
    list: () => armed,
    remove(id) {
      const before = armed.length;
      armed = armed.filter((fault) => fault.id !== id);
      return armed.length < before;
    },
    clear() {
      armed = [];
    },
    take(route, ids = []) {
      if (armed.length === 0) return [];
      return armed.flatMap((fault) => {
        if (!fitsGlob(fault.route, route) || (fault.of !== undefined && !ids.includes(fault.of))) return [];
        fault.matched++;
        if (fault.matched <= fault.skip) return [];
        if (fault.count !== undefined && fault.fired >= fault.count) return [];
        if (fault.rate < 1 && random() >= fault.rate) return [];
        fault.fired++;
        return [fault];
      });
    },
  };
}
