import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { CliSurroundings } from '../../src/cli/session.ts';
import { systemClock } from '../../src/clock.ts';
import { randomNonce } from '../../src/commands/nonce.ts';
import { adminKubeconfig } from './control-plane.ts';

/** What a command is given, with what it wrote so far. */
export interface Captured extends CliSurroundings {
  readonly said: () => string;
  readonly complained: () => string;
}

/** A process's surroundings, whose output is a file. */
export function capture(): Captured {
  const written = { out: '', err: '' };
  const into = (stream: 'out' | 'err') => ({ write: (text: string) => void (written[stream] += text) });
  return {
    clock: systemClock,
    random: Math.random,
    nonce: randomNonce,
    environment: {},
    version: '0.0.0-test',
    out: into('out'),
    err: into('err'),
    said: () => written.out,
    complained: () => written.err,
  };
}

/** The administrator's kubeconfig, changed; the path of the copy. */
export function kubeconfigWith(change: {
  readonly as?: string;
  readonly server?: string;
  readonly namespace?: string;
}): string {
  const config = parse(readFileSync(adminKubeconfig(), 'utf8'));
  if (change.as !== undefined) config.users[0].user.as = change.as;
  if (change.server !== undefined) config.clusters[0].cluster.server = change.server;
  if (change.namespace !== undefined) config.contexts[0].context.namespace = change.namespace;
  const file = join(mkdtempSync(join(tmpdir(), 'edgeline-cli-')), 'kubeconfig');
  writeFileSync(file, stringify(config));
  return file;
}
