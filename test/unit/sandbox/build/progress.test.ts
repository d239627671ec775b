import { describe, expect, it } from 'vitest';
import { createBuildProgress, formatElapsed } from '../../../../src/sandbox/build/progress.ts';

describe('the progress of a build', () => {
  it('counts modules and packages, and keeps what is neither', () => {
    const progress = createBuildProgress();
    for (const line of [
      'go: downloading k8s.io/api v0.34.4',
      'go: downloading go.uber.org/zap v1.27.0',
      'internal/abi',
      'k8s.io/api/core/v1',
      'gopkg.in/yaml.v3',
      '# edgeline.dev/control-plane',
      './main.go:12:2: undefined: nothing',
      '',
    ]) {
      progress.take(line);
    }
    expect({ summary: progress.summary(65_000), complaints: progress.complaints() }).toEqual({
      summary: 'downloaded 2 modules, compiled 3 packages, 1 min 05 s',
      complaints: '# edgeline.dev/control-plane\n./main.go:12:2: undefined: nothing',
    });
  });

  it.each([
    [40, 10_000, 'compiled 40 of about 2,300 packages, 10 s'],
    [230, 30_000, 'compiled 230 of about 2,300 packages, 30 s, about 5 min more'],
    [2100, 240_000, 'compiled 2100 of about 2,300 packages, 4 min 00 s, less than a minute more'],
    [2400, 300_000, 'compiled 2400 packages, 5 min 00 s'],
  ])('says of %i packages after %i ms how far that is', (packages, elapsed, expected) => {
    const progress = createBuildProgress(2300);
    for (let number = 0; number < packages; number++) progress.take(`example.com/package-${number}`);
    expect(progress.summary(elapsed)).toBe(expected);
  });

  it('keeps the last 30 complaints', () => {
    const progress = createBuildProgress();
    for (let number = 1; number <= 100; number++) progress.take(`complaint number ${number}`);
    expect(progress.complaints().split('\n')).toEqual(
      Array.from({ length: 30 }, (_, index) => `complaint number ${index + 71}`),
    );
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [59_500, '1 min 00 s'],
    [222_000, '3 min 42 s'],
  ])('writes %i ms as %s', (milliseconds, text) => {
    expect(formatElapsed(milliseconds)).toBe(text);
  });
});
