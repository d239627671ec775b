import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDataDirectory } from '../../../src/sandbox/data-directory.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-directory-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('the data directory', () => {
  it('is temporary when none is named, and goes with all that is in it', () => {
    const directory = openDataDirectory(undefined);
    writeFileSync(directory.file('token'), 'x');
    directory.release();
    expect(existsSync(directory.path)).toBe(false);
  });

  it('is made where it is named, for its owner only, and stays', () => {
    const path = join(parent, 'some', 'where');
    const directory = openDataDirectory(path);
    writeFileSync(directory.file('simulator.json'), '{}');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    directory.release();
    expect(readdirSync(path)).toEqual(['simulator.json']);
  });

  it('belongs to one sandbox at a time', () => {
    // The process of init runs for as long as there is a machine.
    writeFileSync(join(parent, 'sandbox.pid'), '1\n');
    expect(() => openDataDirectory(parent)).toThrow(
      `The data directory ${parent} is in use by the sandbox of process 1`,
    );
  });

  it.each([
    ['a process that is gone', '4194304\n'],
    ['nobody', 'what?'],
  ])('is taken over from %s', (_who, content) => {
    writeFileSync(join(parent, 'sandbox.pid'), content);
    openDataDirectory(parent).release();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('is refused where no temporary one can be made, with what to set', () => {
    vi.stubEnv('TMPDIR', join(parent, 'nowhere'));
    expect(() => openDataDirectory(undefined)).toThrow(
      expect.objectContaining({
        code: 'SandboxFailed',
        message: expect.stringMatching(/^No directory can be made in .*nowhere: ENOENT/),
        advice: expect.stringContaining('Set TMPDIR'),
      }),
    );
    vi.unstubAllEnvs();
  });

  it('is refused where none can be made', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => openDataDirectory(join(parent, 'file', 'below'))).toThrow(/can't be used: ENOTDIR/);
  });
});
