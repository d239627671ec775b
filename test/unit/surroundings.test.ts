import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import surroundings from '../../scripts/surroundings-lint.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const tester = new RuleTester({ languageOptions: { sourceType: 'module', parserOptions: { lang: 'ts' } } });
const given = (code: string, name: string) => ({ code, errors: [{ messageId: 'global', data: { name } }] });
const module = (code: string) => ({ code, errors: [{ messageId: 'module' }] });

tester.run('what is given as an argument is not reached for', surroundings.rules.given, {
  valid: [
    'const then = new Date(0); Date.parse(""); Date.UTC(2026, 0);',
    'export const isDate = (value: unknown): value is Date => value instanceof Date;',
    'export type Timer = ReturnType<typeof setTimeout>;',
    'Math.max(1, 2); AbortSignal.any([]); new Map(); queueMicrotask(() => {});',
    'function later(setTimeout: (done: () => void) => void) { setTimeout(() => {}); }',
    'const { now } = { now: () => 0 }; now();',
    'new Intl.Segmenter("en");',
    'async function load() { return import("./kube-config.ts"); }',
    { code: 'process.stdout.isTTY;', options: ['process'] },
  ],
  invalid: [
    given('Date.now();', 'Date'),
    given('Date["now"]();', 'Date'),
    given('const now = new Date();', 'Date'),
    given('const text = Date();', 'Date'),
    given('const { now } = Date;', 'Date'),
    given('const Clock = Date;', 'Date'),
    given('Reflect.construct(Object, []);', 'Reflect'),
    given('class Now extends Date {}', 'Date'),
    given('(Date as unknown as { now(): number }).now();', 'Date'),
    given('const { random } = Math;', 'Math'),
    given('Math.random();', 'Math'),
    given('performance.now();', 'performance'),
    given('performance.timeOrigin;', 'performance'),
    given('crypto.getRandomValues(new Uint8Array(1));', 'crypto'),
    given('const source = crypto;', 'crypto'),
    given('AbortSignal.timeout(1);', 'AbortSignal'),
    given('setTimeout(() => {}, 1);', 'setTimeout'),
    given('globalThis.setTimeout(() => {}, 1);', 'globalThis'),
    given('global.fetch("");', 'global'),
    given('const send = fetch;', 'fetch'),
    given('new EventSource("");', 'EventSource'),
    given('process.env.HOME;', 'process'),
    given('process.uptime();', 'process'),
    given('process.getBuiltinModule("timers");', 'process'),
    given('new Intl.DateTimeFormat().format();', 'Intl'),
    given('new Event("").timeStamp;', 'Event'),
    given('eval("Date.now()");', 'eval'),
    given('new Function("return Date.now()")();', 'Function'),
    given('import.meta.dirname;', 'import.meta'),
    module('await import("node:timers");'),
    module('const name = "node:timers"; await import(name);'),
  ],
});
