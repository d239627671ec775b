import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

/** What is the same on every machine and at any time. A global that is not among these is part of the surroundings. */
const HARMLESS = new Set(
  [
    'undefined NaN Infinity Object Array Map Set WeakMap WeakSet Iterator Promise String Number Boolean BigInt Symbol',
    'JSON RegExp Buffer ArrayBuffer Uint8Array Int32Array Error TypeError RangeError SyntaxError AggregateError URL',
    'URLSearchParams TextEncoder TextDecoder AbortController structuredClone encodeURIComponent decodeURIComponent',
    'parseInt parseFloat isNaN isFinite',
    // Microtasks come before anything else, in an order that does not change.
    'queueMicrotask',
  ].flatMap((names) => names.split(' ')),
);

/** Globals of which only these members are harmless. A new Date of a given time is, too. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  Date: new Set(['parse', 'UTC']),
  Math: new Set(['abs', 'ceil', 'floor', 'imul', 'log2', 'max', 'min', 'pow', 'round', 'sign', 'sqrt', 'trunc']),
  AbortSignal: new Set(['abort', 'any']),
  Intl: new Set(['Segmenter']),
  Reflect: new Set(['deleteProperty', 'get', 'has', 'ownKeys', 'set']),
};

/** Where a name stands for a type only. */
const TYPES = new Set([
  'TSTypeReference',
  'TSTypeQuery',
  'TSQualifiedName',
  'TSClassImplements',
  'TSInterfaceHeritage',
]);

type Context = Parameters<NonNullable<Extract<Rule, { create: unknown }>['create']>>[0];
type Scope = NonNullable<Context['sourceCode']['scopeManager']['globalScope']>;
type Reference = Scope['through'][number];

function isHarmless({ identifier }: Reference): boolean {
  const { name, parent } = identifier;
  if (HARMLESS.has(name)) return true;
  if (TYPES.has(parent.type)) return true;
  if (name === 'Date' && parent.type === 'NewExpression')
    return parent.callee === identifier && parent.arguments.length > 0;
  if (name === 'Date' && parent.type === 'BinaryExpression') return parent.operator === 'instanceof';
  if (parent.type !== 'MemberExpression' || parent.object !== identifier || parent.computed) return false;
  return parent.property.type === 'Identifier' && (MEMBERS[name]?.has(parent.property.name) ?? false);
}

/**
 * Time, chance, the environment and the network come in as arguments, so that a simulation can give others. What is not
 * known to be harmless is refused: a list of what is not would be one short with each version of Node.
 */
const given: Rule = {
  meta: {
    messages: {
      global:
        '{{name}} is not known to be harmless: time, chance, the environment and the network come in as arguments (Surroundings in src/operator/options.ts), so that a simulation can give others. What is harmless stands in scripts/surroundings-lint.ts.',
      module: 'What is imported while the program runs is a file of its own, by its name.',
    },
    // Globals that the file may have all the same.
    schema: { type: 'array', items: { type: 'string' } },
  },
  create(context) {
    return {
      ImportExpression(node) {
        const { source } = node;
        const isOwn = source.type === 'Literal' && typeof source.value === 'string' && source.value.startsWith('.');
        if (!isOwn) context.report({ node, messageId: 'module' });
      },
      MetaProperty(node) {
        if (node.meta.name === 'import') context.report({ node, messageId: 'global', data: { name: 'import.meta' } });
      },
      'Program:exit'() {
        const { globalScope } = context.sourceCode.scopeManager;
        if (!globalScope) return;
        const known = globalScope.variables
          .filter(({ defs }) => defs.length === 0)
          .flatMap(({ references }) => references);
        for (const reference of new Set([...known, ...globalScope.through])) {
          const { identifier: node } = reference;
          if (isHarmless(reference) || context.options.includes(node.name)) continue;
          context.report({ node, messageId: 'global', data: { name: node.name } });
        }
      },
    };
  },
};

export default { meta: { name: 'surroundings' }, rules: { given } };
