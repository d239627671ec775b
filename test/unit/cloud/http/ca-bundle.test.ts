import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBundle } from '../../../../src/cloud/http/ca-bundle.ts';
import { makeCertificates } from '../../../support/https-server.ts';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';
let ca: string;
beforeAll(async () => {
  ({ ca } = await makeCertificates());
});

describe('a CA bundle', () => {
  test('gives its certificates, and leaves out what stands between them', () => {
    const block = ca.trim();
    expect(readBundle(`# ours\n${block}\n\n# theirs\n${block}`)).toEqual({ certificates: [block, block] });
  });

  test.each([
    ['nothing', '', 'holds no certificate'],
    ['text', 'no PEM at all', 'holds no certificate'],
    ['a broken one', `${BEGIN}\nnonsense\n${END}`, "holds a certificate that can't be read (number 1 of 1)"],
    ['a begin without an end', `${BEGIN}\nAAAA`, "holds a certificate that can't be read (number 1 of 1)"],
    ['begins alone, as many as fit', BEGIN.repeat(18_000), "holds a certificate that can't be read (number 1 of 1)"],
    ['too much', BEGIN.repeat(40_000), 'is 1 MiB in size, and at most 512 KiB is read'],
    [
      'a key that takes long to check with',
      readFileSync('test/support/slow-chain.pem', 'utf8'),
      'holds a certificate (number 1 of 2) for a key with a public exponent of 3071 bits, and no more than 32 are taken',
    ],
    ['too many', `${BEGIN}${END}`.repeat(501), 'holds 501 certificates, and no more than 500 are read'],
  ])('with %s says what is wrong', (_, bundle, problem) => {
    expect(readBundle(bundle)).toEqual({ problem });
  });

  test('of the size of an operating system is read', () => {
    const result = readBundle(ca.repeat(300));
    expect('certificates' in result && result.certificates.length).toBe(300);
  });
});
