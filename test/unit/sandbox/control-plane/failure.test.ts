import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freeIn, type StartFailure, startFailure } from '../../../../src/sandbox/control-plane/failure.ts';

const FULL = 3_000_000;
const ROOM = 10_000_000_000;

function told(failure: Partial<StartFailure>): string {
  const { message, advice } = startFailure({
    error: undefined,
    said: [],
    log: undefined,
    exit: { code: 2, signal: null },
    port: undefined,
    directory: '/data',
    free: ROOM,
    ...failure,
  });
  return `${message}\n${advice}`;
}

const full =
  'Make room there, at least 130 MB, or choose another place with --data-dir or TMPDIR.';
const damaged = 'If its data directory is damaged, choose another.';

it.each<[string, Partial<StartFailure>, string]>([
  [
    'a port that is taken',
    { port: 6443, error: 'listen tcp 127.0.0.1:6443: bind: address already in use', log: { file: '/data/log', stays: true } },
    'The control plane did not start: port 6443 of 127.0.0.1 is taken.\nChoose another with --port, or leave --port out for a free one.',
  ],
  [
    'a disk that is full, in words',
    { error: 'pki: write /data/pki/ca.key: no space left on device', free: 0 },
    `The control plane did not start: there is too little room in /data: 0 MB are free.\n${full}`,
  ],
  [
    'one that only shows, behind a panic that does not say so',
    { said: ['panic: failed to create WAL', '', 'goroutine 1 [running]:', 'go.uber.org/zap'], free: FULL },
    `The control plane did not start: there is too little room in /data: 3 MB are free.\n${full}`,
  ],
  [
    'a quota, where what is free is not known',
    { said: ['panic: write: disk quota exceeded'], free: undefined },
    `The control plane did not start: there is too little room in /data.\n${full}`,
  ],
  [
    'another panic, without its goroutines',
    { said: ['note', 'panic: index out of range', '', 'goroutine 1 [running]:', 'main.main()'] },
    `The control plane did not start: it ended with exit code 2.\npanic: index out of range\n${damaged}`,
  ],
  [
    'something else, with where to read on',
    { error: 'etcd: not ready after 30s', free: FULL, log: { file: '/data/log', stays: true } },
    `The control plane did not start: etcd: not ready after 30s.\nIts log is /data/log.\n${damaged}`,
  ],
])('%s is told', (_, failure, expected) => {
  expect(told(failure)).toBe(expected);
});

it('a log that is about to be removed is shown', () => {
  const directory = mkdtempSync(join(tmpdir(), 'failure-'));
  const file = join(directory, 'log');
  writeFileSync(file, `${Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')}\n`);
  const lines = told({ error: 'no', log: { file, stays: false } }).split('\n');
  expect([lines.at(1), lines.at(-2), lines.length]).toEqual(['line 10', 'line 29', 22]);
  rmSync(directory, { recursive: true });
});

it('what is free is known of a directory that is there', () => {
  expect([freeIn(tmpdir()), freeIn('/nowhere/at/all')]).toEqual([expect.any(Number), undefined]);
});
