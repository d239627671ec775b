import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { controlPlaneTool } from '../../../../src/sandbox/build/control-plane.ts';
import { cacheDirectory, openCache } from '../../../../src/sandbox/build/go-cache.ts';
import { ensureControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';

test('a bundle that was taken out of its archive says what it lacks, and what to do', async () => {
  const running = ensureControlPlane({ sourceDir: '/nowhere', progress: () => undefined, clock: systemClock, env: {} });
  await expect(running).rejects.toMatchObject({
    code: 'ControlPlaneUnavailable',
    message: expect.stringContaining('are not in /nowhere'),
    advice: 'Run edgeline from the whole archive or clone, not from the bundle alone.',
  });
});

test('where no build can be kept is told, with what to set', () => {
  const cache = cacheDirectory({ XDG_CACHE_HOME: '/dev/null' }, 'control-plane');
  expect(() => openCache(cache, controlPlaneTool('/nowhere'))).toThrow(
    expect.objectContaining({
      code: 'ControlPlaneUnavailable',
      message: expect.stringMatching(/none can be kept in \/dev\/null\/edgeline\/control-plane: ENOTDIR/),
      advice: expect.stringContaining('Set XDG_CACHE_HOME'),
    }),
  );
});
