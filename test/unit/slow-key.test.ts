import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { slownessOf } from '../../src/slow-key.ts';
import { partial } from '../support/partial.ts';

const keyOf = (modulusLength: number, publicExponent: bigint) =>
  partial<KeyObject>({ asymmetricKeyDetails: { modulusLength, publicExponent } });

it.each([
  ['of RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey, undefined],
  ['of a curve', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey, undefined],
  ['of RSA as large as is taken', keyOf(8192, 2n ** 32n - 1n), undefined],
  ['with a long exponent', keyOf(2048, 2n ** 32n + 1n), 'a public exponent of 33 bits, and no more than 32 are taken'],
  ['with a long modulus', keyOf(8193, 65_537n), 'a modulus of 8193 bits, and no more than 8192 are taken'],
])('a key %s', (_, publicKey, expected) => {
  expect(slownessOf({ publicKey })).toBe(expected);
});
