import { describe, expect, it } from 'vitest';
import { rotationLine } from '../../../../src/sandbox/cluster/rotations.ts';

describe('the line about a renewed certificate', () => {
  it.each([
    [
      { site: 'shop.example.jp', number: 3, serialNumber: '5f03aa10ffee', lag: 214 },
      'shop.example.jp: certificate 3 (serial 5f03aa10…) is on the site, 0.21 s after its Secret changed',
    ],
    [
      { site: 'shop.example.jp', number: 2, serialNumber: '', lag: 0 },
      'shop.example.jp: certificate 2 is on the site, 0.00 s after its Secret changed',
    ],
  ])('of %o is “%s”', (rotation, line) => {
    expect(rotationLine(rotation)).toBe(line);
  });
});
