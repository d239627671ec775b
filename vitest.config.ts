import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** What computes: a file has a core to itself. */
const computing = { maxWorkers: 2, sequence: { groupOrder: 0 } };
/**
 * What mostly waits, each file with a control plane to itself: with two at a time half of two cores was idle. A cluster that
 * somebody names is used by one at a time.
 */
const waiting = {
  maxWorkers: process.env['EDGELINE_TEST_KUBECONFIG'] === undefined ? 3 : 1,
  // Tests of one file that run at once wait each for an account of its own.
  maxConcurrency: 16,
  sequence: { groupOrder: 1 },
};
/** Commands such as kubectl end before they need to collect garbage, which takes a quarter of their time. */
const env = { GOGC: 'off', GOMEMLIMIT: '1GiB' };
const globalSetup = ['test/support/control-plane-setup.ts'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          ...computing,
          // Properties run thousands of cases: a busy machine must not look like a broken plan.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          ...computing,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          ...waiting,
          globalSetup,
          env,
          // Longer than what a test waits for in turn: that says what it waits for.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          ...waiting,
          globalSetup,
          env,
          testTimeout: 600_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
