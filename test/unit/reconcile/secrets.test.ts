import { describe, expect, it } from 'vitest';
import type { KubeClient } from '../../../src/kubernetes/client.ts';
import { createSecretReader, type SecretContent } from '../../../src/reconcile/secrets.ts';

/** A Secret that holds these bytes under `key`. */
async function holding(value: string | Buffer): Promise<SecretContent> {
  const data = { key: Buffer.from(value).toString('base64') };
  const get = async () => ({ metadata: { name: 's', resourceVersion: '1' }, data });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reader only gets
  const secret = await createSecretReader({ get } as unknown as KubeClient).read('fleet', 's');
  if (!secret) throw new Error('there is a Secret');
  return secret;
}

const refused =
  'The value under "key" in the Secret s in namespace fleet has line breaks or other control characters in it, or is no UTF-8';

describe('a value in a Secret', () => {
  it.each([
    ['0123', '0123', '0123'],
    ['0123\n', '0123', '0123'],
    ['0123\r\n', '0123', '0123'],
    ['\uFEFF0123\n\n', '0123', '\uFEFF0123'],
    [' any text \n', 'any text', ' any text '],
    ['\n', undefined, undefined],
    [' ', undefined, ' '],
    ['', undefined, undefined],
  ])('%j is %j as a word and %j as a line', async (value, word, line) => {
    const secret = await holding(value);
    expect([secret.word('key')?.reveal(), secret.line('key')?.reveal()]).toEqual([word, line]);
  });

  it.each([
    ['two lines', 'truck 17\n0123'],
    ['a NUL', '01\u000023'],
    ['UTF-16, as a shell of Windows writes it', Buffer.from('0123', 'utf16le')],
    ['no text', Buffer.from([0xff, 0xfe, 0x30])],
  ])('of %s is refused, and not shown', async (_, value) => {
    const secret = await holding(value);
    for (const read of [() => secret.word('key'), () => secret.line('key')]) expect(read).toThrow(refused);
  });
});
