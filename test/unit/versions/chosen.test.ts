import { describe, expect, it } from 'vitest';
import { parseVersions, testedVersions, versionIn } from '../../versions/chosen.ts';

describe('the versions that are tested', () => {
  it('have the project’s own in place of another patch of it', () => {
    expect(testedVersions('1.34.9')).toContain('1.34.9');
    expect(testedVersions('1.34.9').filter((version) => version.startsWith('1.34.'))).toEqual(['1.34.9']);
  });

  it('are in order, the project’s own too when it is a newer one', () => {
    expect(testedVersions('1.40.0').at(-1)).toBe('1.40.0');
    expect(testedVersions('1.40.0')[0]).toMatch(/^1\.30\./);
  });

  it.each([
    ['1.34', ['1.34.9']],
    ['1.34, v1.33.2', ['1.34.9', '1.33.2']],
  ])('are named %s', (text, versions) => {
    expect(parseVersions('1.34.9')(text)).toEqual(versions);
  });

  it.each([
    ['newest', 'Write versions such as 1.32,1.34.4.'],
    ['1.34,', 'Write versions such as 1.32,1.34.4.'],
    ['1.29', 'of versions before 1.30'],
    ['1.98', 'Name the patch of 1.98'],
  ])('are not %s', (text, message) => {
    expect(() => parseVersions('1.34.9')(text)).toThrow(message);
  });
});

it.each(['require (\n\tk8s.io/kubernetes v1.34.4\n)\n', 'require k8s.io/kubernetes v1.34.4\n'])(
  'the version is read from %j',
  (goMod) => {
    expect(versionIn(goMod)).toBe('1.34.4');
  },
);

it('a go.mod without it is no control plane’s', () => {
  expect(() => versionIn('module a\n')).toThrow('restore it');
});
