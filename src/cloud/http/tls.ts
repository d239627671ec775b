import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { trimEndOf } from '../../text.ts';
import { ConfigurationError } from '../errors.ts';
import { readBundle } from './ca-bundle.ts';
import { createSecureContexts } from './secure-contexts.ts';

const contexts = createSecureContexts(contextWith);

/**
 * The system's trusted roots and the certificates of a PEM bundle. One context for all connections and accounts, because
 * the roots take megabytes, and parsing them tens of milliseconds. Undefined without a bundle: the runtime's own roots.
 * @throws ConfigurationError naming caBundleSecretRef when the bundle is not PEM certificates
 */
export function secureContextWith(bundle: string | undefined): SecureContext | undefined {
  return bundle === undefined ? undefined : contexts.of(bundle);
}

function contextWith(bundle: string): SecureContext {
  const read = readBundle(bundle);
  if ('problem' in read) {
    throw new ConfigurationError(
      `the CA bundle of the account cannot be used: it ${read.problem}`,
      'Put the PEM certificates of the authority that signed the service into the key that caBundleSecretRef names.',
      { route: '' },
    );
  }
  return createSecureContext({ ca: [...getCACertificates('default'), ...read.certificates] });
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
  return { origin: url.origin, hostname: url.hostname, path: pathOf(url) };
}

const pathOf = (url: URL): string => trimEndOf(url.pathname, (character) => character === '/');

/** The host of a base URL and its port where it is not 443, one text for all spellings: the dot of the root is left out. */
function hostOf(url: URL): string {
  const name = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  return url.port === '' ? name : `${name}:${url.port}`;
}

/** What stands for a base URL however it is spelled; the text itself when it is no URL. */
export function canonicalBaseURL(text: string): string {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${hostOf(url)}${pathOf(url)}` : text;
}

/** The same for a host with or without a port; the text itself when it is neither. */
export function canonicalHost(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  return url ? hostOf(url) : text;
}
