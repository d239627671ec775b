import { expect, it } from 'vitest';
import { parseChain } from '../../../../src/kinds/site-certificate/candidate.ts';
import { certificateNamed, certificates } from '../../../simulation/certificates.ts';

const { chain, key } = certificateNamed('a-1');

it('parses a chain once, however often it is looked at', () => {
  expect(parseChain(chain)).toHaveLength(2);
  expect(parseChain(chain)).toBe(parseChain(chain));
});

it('keeps no text that has a private key in it, and none that is long', () => {
  for (const text of [`${chain}${key}`, `${chain}${' '.repeat(20_000)}`]) {
    expect(parseChain(text)).toHaveLength(2);
    expect(parseChain(text)).not.toBe(parseChain(text));
  }
});

it('tells chains apart that differ in one certificate', () => {
  const leaves = certificates.map((one) => {
    const parsed = parseChain(one.chain);
    return 'length' in parsed ? parsed[0]?.fingerprint256.replaceAll(':', '').toLowerCase() : undefined;
  });
  expect(leaves).toEqual(certificates.map(({ fingerprint }) => fingerprint));
});
