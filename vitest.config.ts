import { defineConfig } from 'vitest/config';

/** Two files at a time, each with a control plane to itself; a cluster that somebody names is used by one at a time. */
const maxWorkers = process.env['EDGELINE_TEST_KUBECONFIG'] === undefined ? 2 : 1;
/** Commands such as kubectl end before they need to collect garbage, which takes a quarter of their time. */
const env = { GOGC: 'off', GOMEMLIMIT: '1GiB' };
const globalSetup = ['test/support/control-plane-setup.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          maxWorkers,
          // Properties run thousands of cases: a busy machine must not look like a broken plan.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          maxWorkers,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          maxWorkers,
          globalSetup,
          env,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers,
          globalSetup,
          env,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
