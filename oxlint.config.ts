import { defineConfig, type OxlintOverride } from 'oxlint';

/** Each layer imports what stands before it only; telemetry is the lowest. */
const order = [
  'telemetry',
  'cloud',
  'kubernetes',
  'reconcile',
  'kinds',
  'operator',
  'cli',
  'import',
  'export',
  'plan',
  'page',
  'commands',
] as const;
type Layer = (typeof order)[number];

/**
 * What stands beside another rather than below it: cloud and kubernetes know nothing of each other, nor does what runs as
 * the operator of what a person runs beside it.
 */
const beside: Readonly<Partial<Record<Layer, readonly string[]>>> = {
  cloud: ['kubernetes'],
  kubernetes: ['cloud'],
  cli: ['operator', 'cloud', 'reconcile'],
  import: ['operator', 'cli', 'cloud'],
  export: ['operator'],
  plan: ['export'],
  page: ['import', 'export', 'plan'],
};
const outside = ['simulator', 'sandbox', 'shadow'];
/** What the simulator has only where it is a process of its own; the rest of it is in the simulated world, too. */
const simulatorProcess = ['server', 'holds', 'state/lock', 'certificate-authority'].map(
  (name) => `src/simulator/${name}.ts`,
);

const direction =
  'imports point commands > {export, plan, page} > {operator, cli, import} > kinds > reconcile > {kubernetes, cloud} > telemetry';
const given =
  'comes in as an argument (Surroundings in src/operator/options.ts), so that a simulation can give another';

/** What of Node's own modules is neither time nor chance, environment nor network. All else of them is refused. */
const harmless: Readonly<Record<string, string[]>> = {
  'node:crypto': [
    'createHash',
    'createHmac',
    'createPrivateKey',
    'createPublicKey',
    'createSecretKey',
    'hash',
    'hkdfSync',
    'KeyObject',
    'timingSafeEqual',
    'X509Certificate',
  ],
  'node:net': ['BlockList', 'isIP', 'isIPv4', 'isIPv6'],
  'node:tls': ['SecureContext'],
  'node:url': ['domainToASCII'],
  'node:util': ['inspect', 'isDeepStrictEqual', 'callbackify'],
};
/** Packages that have a way to the network. */
const clients = ['undici', '@kubernetes/client-node'];

/** The edges: each reaches for what the others are given. */
const edges: Readonly<Record<string, readonly string[]>> = {
  'src/kubernetes/transport.ts': ['undici'],
  'src/kubernetes/kube-config.ts': ['@kubernetes/client-node'],
  'src/kubernetes/config.ts': ['node:fs', 'node:https'],
  'src/kubernetes/kubeconfig-files.ts': ['node:fs', 'node:path'],
  'src/cloud/http/dispatcher.ts': ['undici'],
  'src/cloud/http/tunnel.ts': ['node:http', 'node:https', 'node:net'],
  // The certificate authorities that the process trusts.
  'src/cloud/http/tls.ts': ['node:tls'],
  'src/telemetry/http.ts': ['node:http'],
};

/** `allowed`: what of the surroundings may be imported; `patterns`: what else may not. */
function imports(allowed: readonly string[], patterns: readonly object[] = []): NonNullable<OxlintOverride['rules']> {
  const known = Object.entries(harmless).filter(([name]) => !allowed.includes(name));
  return {
    'no-restricted-imports': [
      'error',
      {
        paths: [
          ...known.map(([name, allowImportNames]) => ({ name, allowImportNames, message: `${name} ${given}.` })),
          ...clients
            .filter((name) => !allowed.includes(name))
            .map((name) => ({ name, allowTypeImports: true, message: `${name} ${given}.` })),
        ],
        patterns: [
          ...patterns,
          {
            group: ['node:*', 'node:*/**', ...[...Object.keys(harmless), ...allowed].map((name) => `!${name}`)],
            message: `it ${given}.`,
          },
        ],
      },
    ],
  };
}

/** The same of the simulator, where it is a process of its own. */
const simulatorEdges: Readonly<Record<string, readonly string[]>> = {
  // The key of its nonces.
  'src/simulator/server.ts': ['node:crypto'],
  // One that takes the lock is told from all others.
  'src/simulator/state/lock.ts': ['node:crypto'],
  // The disk lives by the machine's time.
  'src/simulator/state/journal.ts': ['node:timers/promises'],
};

function importsOf(
  layer: Layer,
  allowed: readonly string[] = [],
  apart: readonly string[] = beside[layer] ?? [],
): NonNullable<OxlintOverride['rules']> {
  // A plan is what the operator does in a shadow, whose service is the simulator.
  const strange = layer === 'plan' ? ['sandbox'] : outside;
  const above = [...order.slice(order.indexOf(layer) + 1), ...apart, ...strange];
  return imports(allowed, [{ group: above.map((name) => `**/${name}/**`), message: `${direction}.` }]);
}

/** Files are the simulator's own affair; time and chance are not. `allowed`: what of these may be imported. */
function importsOfSimulator(allowed: readonly string[] = []): NonNullable<OxlintOverride['rules']> {
  const refused = ['node:timers', 'node:timers/promises', 'node:perf_hooks'].filter((name) => !allowed.includes(name));
  return {
    'no-restricted-imports': [
      'error',
      {
        paths: [
          ...refused.map((name) => ({ name, message: `it ${given}.` })),
          ...Object.entries(harmless)
            .filter(([name]) => name === 'node:crypto' && !allowed.includes(name))
            .map(([name, allowImportNames]) => ({ name, allowImportNames, message: `${name} ${given}.` })),
        ],
        patterns: [
          {
            group: [
              ...['cloud', 'kubernetes', 'reconcile', 'kinds', 'operator', 'cli', 'commands', 'sandbox'].map(
                (name) => `**/${name}/**`,
              ),
              '!**/cloud/wire/**',
              '!**/cloud/*/wire.ts',
              '!**/cloud/site/certificate-wire.ts',
            ],
            message:
              "the simulator is an independent reading of the service's interface: it imports nothing but the wire schemas.",
          },
        ],
      },
    ],
  };
}

const layers = order.filter((layer) => layer !== 'commands');

export default defineConfig({
  jsPlugins: ['./scripts/surroundings-lint.ts'],
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'off' },
  options: { typeAware: true },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': 'error',
    'typescript/consistent-return': 'off',
    'typescript/unbound-method': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'vitest/require-mock-type-parameters': 'off',
    // 'timers' is node:timers, and must not be another way to it.
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    {
      files: ['**/*.property.test.ts', 'test/e2e/permissions/*.test.ts'],
      rules: { 'vitest/no-conditional-expect': 'off', 'vitest/expect-expect': 'off' },
    },
    // Checks and the scene they look at name each other's types.
    { files: ['test/simulation/life/**'], rules: { 'import/no-cycle': ['error', { ignoreTypes: true }] } },
    { files: ['*.config.ts', 'scripts/surroundings-lint.ts'], rules: { 'import/no-default-export': 'off' } },
    ...layers.map((layer) => ({ files: [`src/${layer}/**`], rules: importsOf(layer) })),
    // What a person asks of the service itself goes through the operator's own client.
    { files: ['src/cli/service/**', 'src/cli/ask/**'], rules: importsOf('cli', [], ['operator']) },
    {
      files: [...layers.map((layer) => `src/${layer}/**`), 'src/*.ts', 'src/simulator/**', 'src/shadow/**'],
      rules: { 'surroundings/given': 'error' },
    },
    {
      files: ['src/clock.ts', 'src/main.ts', ...simulatorProcess],
      rules: { 'surroundings/given': 'off' },
    },
    // Whether the log is read by a person.
    {
      files: ['src/telemetry/log.ts'],
      rules: { 'surroundings/given': ['error', 'process'] },
    },
    // Between one immediate and the next all promises settle that wait for nothing else; no time passes.
    {
      files: ['src/shadow/world/scheduler.ts'],
      rules: { 'surroundings/given': ['error', 'setImmediate'] },
    },
    { files: ['src/*.ts', 'src/shadow/**'], rules: imports([]) },
    // The heap that the process starts with.
    { files: ['src/main.ts'], rules: imports(['node:v8']) },
    ...layers.flatMap((layer) =>
      Object.entries(edges)
        .filter(([file]) => file.startsWith(`src/${layer}/`))
        .map(([file, allowed]) => ({ files: [file], rules: importsOf(layer, allowed) })),
    ),
    { files: ['src/simulator/**'], rules: importsOfSimulator() },
    ...Object.entries(simulatorEdges).map(([file, allowed]) => ({ files: [file], rules: importsOfSimulator(allowed) })),
    {
      files: ['src/sandbox/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['**/commands/**', '**/cli/**', '**/kinds/**', '**/reconcile/**', '**/operator/**'],
                message: 'the sandbox starts processes; it does not reconcile.',
              },
            ],
          },
        ],
      },
    },
  ],
});
