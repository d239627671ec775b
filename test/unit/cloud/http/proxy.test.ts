import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { proxyFor, proxyOf } from '../../../../src/cloud/http/proxy.ts';

const proxy = 'http://proxy.example.jp:3128';

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('HTTPS_PROXY', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['is not there', {}, undefined],
    ['is empty', { HTTPS_PROXY: '' }, undefined],
    ['is a URL', { HTTPS_PROXY: proxy }, `${proxy}/`],
    ['is written in small letters', { https_proxy: proxy }, `${proxy}/`],
    ['has its value in capitals first', { HTTPS_PROXY: proxy, https_proxy: 'http://other:1' }, `${proxy}/`],
    ['has no scheme', { HTTPS_PROXY: 'proxy.example.jp:3128' }, `${proxy}/`],
    ['has a user', { HTTPS_PROXY: 'http://me:a%40b@proxy.example.jp:3128' }, 'http://me:a%40b@proxy.example.jp:3128/'],
    ['is reached by TLS', { HTTPS_PROXY: 'https://proxy.example.jp' }, 'https://proxy.example.jp/'],
    ['is another variable', { HTTP_PROXY: proxy, ALL_PROXY: proxy }, undefined],
  ])('%s', (_, environment, url) => {
    expect(proxyOf(environment)?.url.href).toBe(url);
  });

  it.each([
    ['socks5://me:canary@proxy:1080', 'HTTPS_PROXY begins with socks5://'],
    ['http://me:canary@proxy:99999', 'HTTPS_PROXY is not a URL'],
    ['http://me:canary@proxy:3128/path', 'HTTPS_PROXY has something behind the host and port'],
    ['http://me:canary%@proxy:3128', 'HTTPS_PROXY has a user or password with a % of its own'],
  ])('that cannot be used says so, and not its password: %s', (value, message) => {
    const refused = () => proxyOf({ HTTPS_PROXY: value });
    expect(refused).toThrow(message);
    expect(inspect(thrownBy(refused), { depth: 9, showHidden: true })).not.toContain('canary');
  });
});

describe('what is reached without the proxy', () => {
  it.each<[string, string, string, 'direct' | 'proxied']>([
    ['', 'api.example.jp', '443', 'proxied'],
    ['*', 'api.example.jp', '443', 'direct'],
    ['example.jp', 'example.jp', '443', 'direct'],
    ['example.jp', 'api.example.jp', '443', 'direct'],
    ['EXAMPLE.jp', 'api.example.jp.', '443', 'direct'],
    ['example.jp', 'notexample.jp', '443', 'proxied'],
    ['.example.jp', 'example.jp', '443', 'proxied'],
    ['.example.jp', 'api.example.jp', '443', 'direct'],
    ['*.example.jp', 'api.example.jp', '443', 'direct'],
    ['other.jp, api.example.jp', 'api.example.jp', '443', 'direct'],
    ['other.jp api.example.jp', 'api.example.jp', '443', 'direct'],
    ['api.example.jp:8443', 'api.example.jp', '8443', 'direct'],
    ['api.example.jp:8443', 'api.example.jp', '443', 'proxied'],
    ['192.0.2.1', '192.0.2.1', '443', 'direct'],
    ['192.0.2.1', '192.0.2.10', '443', 'proxied'],
    ['192.0.2.0/24', '192.0.2.10', '443', 'direct'],
    ['192.0.2.0/24', '192.0.3.10', '443', 'proxied'],
    ['192.0.2.0/99', '192.0.2.10', '443', 'proxied'],
    ['2001:db8::/32', '[2001:db8::1]', '443', 'direct'],
    ['2001:db8::1', '2001:db8::1', '443', 'direct'],
    ['[2001:db8::1]:8443', '[2001:db8::1]', '8443', 'direct'],
    ['192.0.2.0/24', 'api.example.jp', '443', 'proxied'],
    // This machine itself.
    ['', 'localhost', '8443', 'direct'],
    ['', 'simulator.localhost', '8443', 'direct'],
    ['', '127.0.0.2', '8443', 'direct'],
    ['', '[::1]', '8443', 'direct'],
    ['', '::ffff:192.0.2.1', '8443', 'proxied'],
  ])('NO_PROXY=%s: %s at port %s is %s', (except, host, port, how) => {
    const settings = proxyOf({ HTTPS_PROXY: proxy, no_proxy: except });
    expect(settings && proxyFor(settings, host, port) ? 'proxied' : 'direct').toBe(how);
  });
});
