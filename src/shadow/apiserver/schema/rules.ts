import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { Members } from '../json.ts';

/** One of `x-kubernetes-validations`. */
export interface Rule {
  readonly text: string;
  readonly message: string;
  readonly fieldPath: string;
  readonly reason: string;
  /** Whether it compares with what was: then it holds for updates alone. */
  readonly isTransition: boolean;
  /** Undefined where it holds; else why not. `self` and `oldSelf` are as {@link celValue} makes them. */
  check(self: unknown, oldSelf: unknown): string | undefined;
}

// Rules are checked by type nowhere here: the real apiserver has done that when it took the CRD.
const environment = new Environment({ unlistedVariablesAreDyn: true }).registerFunction(
  'string.replace(string, string): string',
  (text: string, from: string, to: string) => text.replaceAll(from, to),
);

/** Reads one of `x-kubernetes-validations`. Throws for CEL that cannot be read. */
export function compileRule(source: Members): Rule {
  const text = String(source.rule);
  const evaluate = environment.parse(text);
  const messageExpression =
    typeof source.messageExpression === 'string' ? environment.parse(source.messageExpression) : undefined;
  const message = typeof source.message === 'string' ? source.message : `failed rule: ${text}`;
  return {
    text,
    message,
    fieldPath: typeof source.fieldPath === 'string' ? source.fieldPath : '',
    reason: typeof source.reason === 'string' ? source.reason : 'FieldValueInvalid',
    isTransition: /\boldSelf\b/.test(text),
    check(self, oldSelf) {
      const variables = oldSelf === undefined ? { self } : { self, oldSelf };
      try {
        if (evaluate(variables) === true) return undefined;
      } catch (error) {
        return `${error instanceof Error ? error.message : String(error)} evaluating rule: ${message}`;
      }
      return messageFrom(messageExpression, variables) ?? message;
    },
  };
}

/** The message an expression makes; undefined where it makes none, as the apiserver then says what `message` says. */
function messageFrom(expression: ParseResult | undefined, variables: Members): string | undefined {
  try {
    const made: unknown = expression?.(variables);
    return typeof made === 'string' && made.trim() !== '' && !made.includes('\n') ? made : undefined;
  } catch {
    return undefined;
  }
}
