import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { ensureControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';

test('a bundle that was taken out of its archive says what it lacks, and what to do', async () => {
  const running = ensureControlPlane({ sourceDir: '/nowhere', progress: () => undefined, clock: systemClock, env: {} });
  await expect(running).rejects.toMatchObject({
    code: 'ControlPlaneUnavailable',
    message: expect.stringContaining('are not in /nowhere'),
    advice: 'Run edgeline from the whole archive or clone, not from the bundle alone.',
  });
});
