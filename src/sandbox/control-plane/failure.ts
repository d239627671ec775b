import { readFileSync, statfsSync } from 'node:fs';
import { ControlPlaneUnavailable } from '../errors.ts';
import type { Exit } from '../processes/processes.ts';

const MEGABYTE_BYTES = 1_000_000;
/** What a control plane has written when it is up, most of it set aside by etcd. Bytes. */
const LEAST_FREE_BYTES = 130 * MEGABYTE_BYTES;
const LINES_SHOWN = 20;

/** Why a control plane did not start, as far as it said so. */
export interface StartFailure {
  /** Its own sentence; undefined: it ended without one. */
  readonly error: string | undefined;
  /** What it said besides, of a panic all goroutines. */
  readonly said: readonly string[];
  /** Where to read on, and whether that stays. */
  readonly log: { readonly file: string; readonly stays: boolean } | undefined;
  readonly exit: Exit;
  /** The port that was asked for. */
  readonly port: number | undefined;
  /** Where its state was to be, and what was free there; bytes. */
  readonly directory: string;
  readonly free: number | undefined;
}

/** One sentence with what to do, where the cause is known; else what was said. */
export function startFailure(failure: StartFailure): ControlPlaneUnavailable {
  const { error, said, log, exit, port, directory, free } = failure;
  const all = [error ?? '', ...said].join('\n');
  if (port !== undefined && all.includes('address already in use')) {
    return new ControlPlaneUnavailable(
      `The control plane did not start: port ${port} of 127.0.0.1 is taken.`,
      'Choose another with --port, or leave --port out for a free one.',
    );
  }
  const isFull = /no space left on device|disk quota exceeded/.test(all);
  // etcd panics where the disk is full, and its panic does not say why.
  if (isFull || (error === undefined && free !== undefined && free < LEAST_FREE_BYTES)) {
    const left = free === undefined ? '' : `: ${Math.floor(free / MEGABYTE_BYTES)} MB are free`;
    return new ControlPlaneUnavailable(
      `The control plane did not start: there is too little room in ${directory}${left}.`,
      `Make room there, at least ${LEAST_FREE_BYTES / MEGABYTE_BYTES} MB, or choose another place with --data-dir or TMPDIR.`,
    );
  }
  const kept = log?.stays ? [`Its log is ${log.file}.`] : log ? endOf(log.file) : [];
  return new ControlPlaneUnavailable(
    [
      `The control plane did not start: ${error ?? `it ended with ${exit.signal ?? `exit code ${exit.code}`}`}.`,
      ...withoutGoroutines(said).slice(-LINES_SHOWN),
      ...kept,
    ].join('\n'),
    'If its data directory is damaged, choose another.',
  );
}

/** Of a panic what it is about. */
function withoutGoroutines(said: readonly string[]): readonly string[] {
  const panic = said.findIndex((line) => line.startsWith('panic: '));
  if (panic < 0) return said;
  const stack = said.findIndex((line, index) => index > panic && line.startsWith('goroutine '));
  return said.slice(panic, stack < 0 ? undefined : stack).filter((line) => line !== '');
}

function endOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LINES_SHOWN);
  } catch {
    return [];
  }
}

/** Bytes that are free on the disk of a directory; undefined: that can't be told. */
export function freeIn(directory: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
