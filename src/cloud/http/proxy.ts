import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from '../errors.ts';

/** A forward proxy between the operator and the service, and what is reached without it. */
export interface ProxySettings {
  /** `http:` or `https:`, with the user and password it asks for, if any: never to be shown whole. */
  readonly url: URL;
  /** The entries of NO_PROXY. */
  readonly except: readonly Exception[];
}

/** What is reached directly: all, a host and what is below it, or a network. */
interface Exception {
  readonly port: string | undefined;
  matches(host: string): boolean;
}

const ADVICE =
  'Write a URL such as http://proxy.example.jp:3128 into HTTPS_PROXY, and hosts, domains or networks separated by commas into NO_PROXY.';

/**
 * What HTTPS_PROXY and NO_PROXY say, in capitals or small letters, as most programs in a cluster understand them.
 * Undefined: there is no proxy.
 * @throws ConfigurationError naming the variable; it never shows its value, which may hold a password
 */
export function proxyOf(environment: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const text = (environment['HTTPS_PROXY'] || environment['https_proxy'] || '').trim();
  if (text === '') return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || url.hostname === '') throw invalid('HTTPS_PROXY is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`HTTPS_PROXY begins with ${url.protocol}//, but only http and https proxies can be used`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw invalid('HTTPS_PROXY has something behind the host and port');
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw invalid('HTTPS_PROXY has a user or password with a % of its own, which is written %25');
  const entries = (environment['NO_PROXY'] || environment['no_proxy'] || '').split(/[\s,]+/);
  return { url, except: entries.filter((entry) => entry !== '').map(exceptionOf) };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function invalid(what: string): ConfigurationError {
  return new ConfigurationError(what, ADVICE, { route: '' });
}

/** The proxy for a host and port; undefined where it is reached directly, as this machine itself always is. */
export function proxyFor({ url, except }: ProxySettings, hostname: string, port: string): URL | undefined {
  const host = bare(hostname);
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)) return undefined;
  const isException = except.some((one) => (one.port === undefined || one.port === port) && one.matches(host));
  return isException ? undefined : url;
}

/** The proxy as it may be shown: host and port. */
export function proxyName({ host, protocol, port }: URL): string {
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  return isInside(LOOPBACK, host);
}

function isInside(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** Small letters, without the brackets of an IPv6 address and the dot of the root. */
function bare(host: string): string {
  const inner = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return (inner.endsWith('.') ? inner.slice(0, -1) : inner).toLowerCase();
}

function exceptionOf(entry: string): Exception {
  if (entry === '*') return { port: undefined, matches: () => true };
  const network = networkOf(entry);
  if (network) return { port: undefined, matches: (host) => isInside(network, host) };
  const colon = isIP(entry) === 6 ? -1 : entry.lastIndexOf(':');
  const hasPort = colon > 0 && /^\d+$/.test(entry.slice(colon + 1));
  const name = hasPort ? entry.slice(0, colon) : entry;
  const port = hasPort ? entry.slice(colon + 1) : undefined;
  const domain = bare(name.startsWith('*.') ? name.slice(1) : name);
  // With a dot in front it is only what is below the domain.
  if (domain.startsWith('.')) return { port, matches: (host) => host.endsWith(domain) };
  return { port, matches: (host) => host === domain || (isIP(domain) === 0 && host.endsWith(`.${domain}`)) };
}

/** A network written as CIDR. */
function networkOf(entry: string): BlockList | undefined {
  const [, address = '', length = ''] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const version = isIP(address);
  if (version === 0 || Number(length) > (version === 4 ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, Number(length), version === 4 ? 'ipv4' : 'ipv6');
  return list;
}
