import { describe, expect, it } from 'vitest';
import { selects } from '../../../../src/kinds/cloud-account/selector.ts';

const labels = { team: 'fleet', empty: '' };

describe('a selector of namespaces', () => {
  it.each<[what: string, selector: Parameters<typeof selects>[0], isSelected: boolean]>([
    ['nothing', {}, true],
    ['a label with its value', { matchLabels: { team: 'fleet' } }, true],
    ['a label with another value', { matchLabels: { team: 'web' } }, false],
    ['a label that is not there', { matchLabels: { other: 'fleet' } }, false],
    ['one of several values', { matchExpressions: [{ key: 'team', operator: 'In', values: ['web', 'fleet'] }] }, true],
    ['one of no values', { matchExpressions: [{ key: 'team', operator: 'In' }] }, false],
    ['none of several values', { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['fleet'] }] }, false],
    ['none of them, and none there', { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['fleet'] }] }, true],
    ['that there is an empty one', { matchExpressions: [{ key: 'empty', operator: 'Exists' }] }, true],
    ['that there is none', { matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] }, false],
    ...['constructor', '__proto__', 'toString'].flatMap((key): [string, Parameters<typeof selects>[0], boolean][] => [
      [`${key}, which every object has`, { matchExpressions: [{ key, operator: 'Exists' }] }, false],
      [`not ${key}`, { matchExpressions: [{ key, operator: 'DoesNotExist' }] }, true],
    ]),
  ])('that wants %s: %s', (_, selector, isSelected) => {
    expect(selects(selector, labels)).toBe(isSelected);
  });
});
