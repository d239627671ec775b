import { defineConfig, type OxlintOverride } from 'oxlint';

/** Each layer imports what stands before it only; telemetry is the lowest. */
const order = ['telemetry', 'cloud', 'kubernetes', 'reconcile', 'kinds', 'operator', 'import', 'commands'] as const;
type Layer = (typeof order)[number];

/** What stands beside another rather than below it: cloud and kubernetes, and import and operator, know nothing of each other. */
const beside: Readonly<Partial<Record<Layer, readonly string[]>>> = {
  cloud: ['kubernetes'],
  kubernetes: ['cloud'],
  import: ['operator', 'cloud'],
};
const outside = ['simulator', 'sandbox'];

const direction = 'imports point commands > {operator, import} > kinds > reconcile > {kubernetes, cloud} > telemetry';
const given =
  'comes in as an argument (Surroundings in src/operator/options.ts), so that a simulation can give another';

/** Time, chance, the environment and the network, in all their forms. */
const modules: readonly { readonly name: string; readonly importNames?: string[]; readonly allowTypeImports?: true }[] =
  [
    ...['timers', 'timers/promises', 'perf_hooks', 'process', 'os', 'child_process', 'worker_threads'].map(node),
    ...['http', 'https', 'http2', 'dns', 'dns/promises', 'dgram'].map(node),
    { name: 'node:net', importNames: ['connect', 'createConnection', 'createServer', 'Socket'] },
    { name: 'node:crypto', importNames: ['randomUUID', 'randomInt', 'randomBytes', 'webcrypto', 'subtle'] },
    { name: 'undici', allowTypeImports: true },
  ];
const properties = {
  Date: ['now'],
  Math: ['random'],
  process: ['env', 'hrtime', 'memoryUsage'],
  performance: ['now'],
  AbortSignal: ['timeout'],
  crypto: ['randomUUID', 'getRandomValues', 'subtle'],
};
const globals = ['setTimeout', 'setInterval', 'setImmediate', 'fetch', 'WebSocket'];

/** The edges: each reaches for what the others are given. */
const edges: Readonly<Record<string, readonly string[]>> = {
  'src/kubernetes/transport.ts': ['undici'],
  'src/kubernetes/config.ts': ['node:https'],
  'src/cloud/http/dispatcher.ts': ['undici'],
  // A nonce of the client guards against chosen plaintext: it may not be predictable.
  'src/cloud/http/auth-digest.ts': ['node:crypto'],
  'src/telemetry/http.ts': ['node:http'],
};

function node(name: string) {
  return { name: `node:${name}` };
}

function importsOf(layer: Layer, allowed: readonly string[] = []): NonNullable<OxlintOverride['rules']> {
  const above = [...order.slice(order.indexOf(layer) + 1), ...(beside[layer] ?? []), ...outside];
  return {
    'no-restricted-imports': [
      'error',
      {
        paths: modules
          .filter(({ name }) => !allowed.includes(name))
          .map((restricted) => ({ ...restricted, message: `${restricted.name} ${given}.` })),
        patterns: [{ group: above.map((name) => `**/${name}/**`), message: `${direction}.` }],
      },
    ],
  };
}

const layers = order.filter((layer) => layer !== 'commands');

export default defineConfig({
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
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    ...layers.map((layer) => ({ files: [`src/${layer}/**`], rules: importsOf(layer) })),
    {
      files: [...layers.map((layer) => `src/${layer}/**`), 'src/*.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          ...Object.entries(properties).flatMap(([object, names]) =>
            names.map((property) => ({ object, property, message: `${object}.${property} ${given}.` })),
          ),
        ],
        'no-restricted-globals': ['error', ...globals.map((name) => ({ name, message: `${name} ${given}.` }))],
      },
    },
    {
      files: ['src/clock.ts', 'src/main.ts'],
      rules: { 'no-restricted-properties': 'off', 'no-restricted-globals': 'off' },
    },
    ...layers.flatMap((layer) =>
      Object.entries(edges)
        .filter(([file]) => file.startsWith(`src/${layer}/`))
        .map(([file, allowed]) => ({ files: [file], rules: importsOf(layer, allowed) })),
    ),
    {
      files: ['src/simulator/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: [
                  ...['cloud', 'kubernetes', 'reconcile', 'kinds', 'operator', 'commands', 'sandbox'].map(
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
      },
    },
    {
      files: ['src/sandbox/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['**/commands/**', '**/kinds/**', '**/reconcile/**', '**/operator/**'],
                message: 'the sandbox starts processes; it does not reconcile.',
              },
            ],
          },
        ],
      },
    },
  ],
});
