import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, diff, isEqual } from '../../../src/kubernetes/merge-patch.ts';

/** JSON without null members, which a merge patch cannot express; null in lists is fine. */
const { value } = fc.letrec<{ value: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'a', 'b'), fc.boolean()),
  value: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.array(fc.oneof(tie('leaf'), fc.constant(null)), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('value'), { maxKeys: 4 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value, { maxKeys: 4 });

describe('a merge patch', () => {
  const cases: [string, unknown, unknown, unknown][] = [
    ['nothing changed', { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, undefined],
    ['a member changed', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ['a member came', { a: 1 }, { a: 1, b: { c: 2 } }, { b: { c: 2 } }],
    ['a member went', { a: 1, b: 2 }, { a: 1 }, { b: null }],
    ['deep inside', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 1, d: 3 } } }, { a: { b: { d: 3 } } }],
    ['a list is replaced whole', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    ['an object became a list', { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    ['a list became an object', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['undefined is absent', { a: 1, b: undefined }, { a: undefined, c: undefined }, { a: null }],
    ['null is absent', { a: 1 }, { a: null, b: null, c: { d: null } }, { a: null, c: {} }],
  ];
  it.each(cases)('says what changed: %s', (_, from, to, patch) => {
    expect(diff(from, to)).toEqual(patch);
  });

  it('turns the old into the new', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        expect(isEqual(apply(from, diff(from, to)), to)).toBe(true);
      }),
    );
  });

  it('is undefined exactly when both are equal', () => {
    fc.assert(
      fc.property(value, value, (from, to) => {
        expect(diff(from, to) === undefined).toBe(isEqual(from, to));
        expect(diff(from, structuredClone(from))).toBeUndefined();
      }),
    );
  });

  it('leaves what it is applied to as it was', () => {
    const target = { a: { b: 1 } };
    expect(apply(target, { a: { b: 2, c: 3 } })).toEqual({ a: { b: 2, c: 3 } });
    expect(target).toEqual({ a: { b: 1 } });
  });

  it('does not touch prototypes', () => {
    const patch: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
    const result = apply({}, patch);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
