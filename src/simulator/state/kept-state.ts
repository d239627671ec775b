import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import type { KeyPair } from '../certificate-authority.ts';
import type { Settings } from '../settings.ts';
import type { Simulation } from '../simulation.ts';
import { createChangeWatch, withChanges } from './changes.ts';
import { StateFileError } from './error.ts';
import { readStateFile } from './file.ts';
import { createJournal, type Journal } from './journal.ts';
import { lockStateFile } from './lock.ts';
import { parseSnapshot, restoreSnapshot, type StoredWorld, takeSnapshot } from './snapshot.ts';

/** A state file in use. */
export interface KeptState {
  /** The CA the file holds; undefined when there was no file. */
  readonly authority: KeyPair | undefined;
  /** From now on the file holds what the simulation holds; resolves when it does for the first time. */
  keep(authority: KeyPair): Promise<void>;
  /** Writes the file a last time and lets go of it. */
  close(): Promise<void>;
}

/**
 * Locks a state file and puts what it holds into the simulation; settings that are given with the start come before those in
 * the file.
 *
 * @throws {StateFileError} when another process uses it, or it cannot be read.
 */
export async function openState(options: {
  readonly file: string;
  readonly simulation: Simulation;
  readonly given: Partial<Settings>;
  readonly tell: (message: string) => void;
}): Promise<KeptState> {
  const { simulation, given, tell } = options;
  const file = realFile(options.file);
  const lock = lockStateFile(file);
  let journal: Journal | undefined;
  let restored: { authority: KeyPair; strangers: readonly StoredWorld[] } | undefined;
  try {
    removeLeftovers(file);
    restored = await restore(file, simulation);
    Object.assign(simulation.settings, given);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    authority: restored?.authority,
    async keep(authority) {
      const changes = createChangeWatch(simulation);
      const snapshot = () => takeSnapshot(simulation, authority, restored?.strangers);
      const made = createJournal({ file, lock, tell, snapshot });
      journal = made;
      simulation.settle = () => {
        const change = changes();
        if (change === 'everything') made.rewrite();
        else if (change) made.append(change);
        return made.settled();
      };
      made.rewrite();
      await made.settled();
    },
    async close() {
      try {
        await journal?.close();
      } finally {
        lock.release();
      }
    },
  };
}

async function restore(file: string, simulation: Simulation) {
  const stored = await readStateFile(file);
  if (!stored) return undefined;
  try {
    const snapshot = withChanges(parseSnapshot(stored.snapshot), stored.entries);
    return { authority: snapshot.authority, strangers: restoreSnapshot(simulation, snapshot) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const reason = 'it is not a state file of this version of the simulator';
    throw new StateFileError(file, reason, undefined, { cause: error });
  }
}

/** The file behind links, so that it has one lock however it is named. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // There is none yet.
  }
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return file;
  }
}

/** What processes that were ended while they wrote have left beside the file. */
function removeLeftovers(file: string): void {
  const name = basename(file);
  for (const other of readdirSync(dirname(file))) {
    const middle =
      other.startsWith(`${name}.`) && other.endsWith('.new') ? other.slice(name.length, -'new'.length) : '';
    if (/^\.(?:\d+\.)?$/.test(middle)) rmSync(join(dirname(file), other), { force: true });
  }
}
