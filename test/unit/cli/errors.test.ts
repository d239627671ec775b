import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unreached } from '../../../src/cli/errors.ts';
import type { KubeTls } from '../../../src/kubernetes/config.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { type HTTPSServer, makeCertificates, startHTTPSServer } from '../../support/https-server.ts';

const ours = await makeCertificates();
const others = await makeCertificates();
let server: HTTPSServer;
beforeAll(async () => {
  server = await startHTTPSServer(ours);
});
afterAll(() => server.close());

/** What a person is told who connects with these parts of a kubeconfig. */
async function told(tls: Partial<KubeTls>): Promise<{ message: string; advice: string } | undefined> {
  const transport = createTransport({
    server: server.baseURL,
    tls: () => ({ skipVerify: false, ...tls }),
    headers: async () => ({}),
    refresh: () => undefined,
    namespace: 'default',
  });
  try {
    await transport.send({ method: 'GET', path: '/version', headers: {}, timeoutMilliseconds: 5000 });
    return undefined;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const made = unreached(error, 'https://kube.example.jp');
    return made && { message: made.message, advice: made.advice };
  } finally {
    await transport.close();
  }
}

const NO_KEY = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
const untrusted = 'its certificate is not from an authority that the kubeconfig trusts';
const noKey = 'the client key is no key in PEM';
const noCertificate = 'the client certificate is no certificate in PEM';
const { ca, certificate: cert, key } = ours;

describe('a TLS connection to the apiserver that cannot be made', () => {
  it.each<[string, Partial<KubeTls>, string, string]>([
    ['no authority', {}, untrusted, 'certificate-authority-data of the cluster'],
    ['another authority', { ca: others.ca }, untrusted, 'certificate-authority-data of the cluster'],
    ['a key that is a text', { ca, cert, key: 'key' }, noKey, 'client-key-data of the user'],
    ['a key that is none', { ca, cert, key: NO_KEY }, noKey, 'client-key-data of the user'],
    [
      'the key of another',
      { ca, cert, key: others.key },
      'the client key is not that of the client certificate',
      'client-key-data and client-certificate-data of the user',
    ],
    ['a certificate that is a text', { ca, cert: 'x', key }, noCertificate, 'client-certificate-data of the user'],
    ['a certificate that is none', { ca, cert: NO_KEY, key }, noCertificate, 'client-certificate-data of the user'],
  ])('with %s is told with what to correct in the kubeconfig', async (_, tls, what, member) => {
    expect(await told(tls)).toEqual({
      message: `no TLS connection to the Kubernetes API server https://kube.example.jp can be made: ${what}`,
      advice: `Check ${member} in the kubeconfig, or log in to the cluster again, which writes a new one.`,
    });
  });

  it('is made with what belongs together', async () => {
    expect(await told({ ca, cert, key })).toBeUndefined();
  });
});
