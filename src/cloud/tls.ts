import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { messageOf } from '../errors.ts';
import { ConfigurationError } from './errors.ts';

/**
 * The system's trusted roots and the certificates of a PEM bundle. One context for all connections, because parsing
 * the roots costs tens of milliseconds. Undefined without a bundle: the runtime's own roots.
 * @throws ConfigurationError naming caBundleSecretRef when the bundle is not PEM certificates
 */
export function secureContextWith(bundle: string | undefined): SecureContext | undefined {
  if (bundle === undefined) return undefined;
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw badBundle('it holds no PEM block "CERTIFICATE"');
  blocks.forEach((block, index) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw badBundle(`certificate ${index + 1} of ${blocks.length} does not parse (${messageOf(error)})`);
    }
  });
  return createSecureContext({ ca: [...getCACertificates('default'), ...blocks] });
}

function badBundle(what: string): ConfigurationError {
  return new ConfigurationError(
    `the CA bundle of the account cannot be used: ${what}`,
    'Put the PEM certificates of the authority that signed the service into the key that caBundleSecretRef names.',
    { route: '' },
  );
}

/**
 * The scheme, host and optional path of a base URL, without a slash at the end.
 * @throws ConfigurationError naming baseURL when it is not an https URL or carries more than host and path
 */
export function parseBaseURL(text: string): { origin: string; hostname: string; path: string } {
  const advice = 'Set spec.baseURL of the account to the scheme and host of the service, like https://service.example.';
  const fail = (what: string) => new ConfigurationError(`baseURL ${what}`, advice, { route: '' });
  const url = URL.parse(text);
  if (!url) throw fail('is not a URL');
  if (url.protocol !== 'https:') throw fail(`begins with ${url.protocol}//, but the service takes https only`);
  if (url.username !== '' || url.password !== '')
    throw fail('holds a user name or password, which belong in the Secret');
  if (url.search !== '' || url.hash !== '') throw fail('holds a query or a fragment');
  return { origin: url.origin, hostname: url.hostname, path: url.pathname.replace(/\/+$/, '') };
}
