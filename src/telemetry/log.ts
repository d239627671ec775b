import { type DestinationStream, destination, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { EdgelineError } from '../errors.ts';
import { redactMembers, redactText } from './redact.ts';

/** The log every part is given. `log.info({ sim: 'a/b' }, 'created')`; an error goes under `err`. */
export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  /** A log that adds these members to each line. `always`: also what is only information, unless nothing is logged at all. */
  child(bindings: Record<string, unknown>, options?: { readonly always?: boolean }): Logger;
};

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LoggerOptions {
  level: LogLevel;
  /** One JSON object a line, or lines for people. */
  format: 'json' | 'pretty';
  /** Default: standard output. */
  destination?: { write(line: string): void };
}

/**
 * The process's log. Written synchronously: the last lines before an exit are the ones that matter, and a worker thread
 * would cost more memory than all of them.
 */
export function createLogger(options: LoggerOptions): Logger {
  const target = options.destination ?? destination({ fd: 1, sync: true });
  const root = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'message',
      errorKey: 'err',
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (members) => redactMembers(members),
      },
      serializers: { err: describeError },
      hooks: { streamWrite: redactText },
    },
    options.format === 'pretty' ? prettyStream(target) : target,
  );
  return wrap(root);
}

/** pino applies no formatter to what children are bound to, so it is redacted here. */
function wrap(logger: PinoLogger): Logger {
  return {
    trace: logger.trace.bind(logger),
    debug: logger.debug.bind(logger),
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    fatal: logger.fatal.bind(logger),
    child(bindings, { always = false } = {}) {
      const isRaised = always && logger.level !== 'silent' && !logger.isLevelEnabled('info');
      return wrap(logger.child(redactMembers(bindings), isRaised ? { level: 'info' } : {}));
    },
  };
}

function prettyStream(target: { write(line: string): void }): DestinationStream {
  const format = prettyFactory({
    colorize: process.stdout.isTTY,
    messageKey: 'message',
    errorLikeObjectKeys: ['err'],
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: (line) => target.write(format(line)) };
}

/** Only what is known to be safe: libraries hang whole requests, headers included, onto their errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error instanceof EdgelineError ? { advice: error.advice } : { stack: error.stack }),
    ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
  };
}
