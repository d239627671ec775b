import { expect, it } from 'vitest';
import { parseHosts } from '../../../src/commands/arguments.ts';

it('hosts are taken with and without their ports', () => {
  const hosts = ['api.example.jp', 'api.example.jp:8443', '[fd00::1]:65535'];
  expect(parseHosts(hosts.join(', '))).toEqual(hosts);
});

it.each(['api.example.jp:0', 'api.example.jp:65536', 'api.example.jp:', 'https://api.example.jp', 'a/b'])(
  '%s is no host',
  (host) => {
    expect(() => parseHosts(`api.example.jp,${host}`)).toThrow(
      `"${host}" is not a host: write it as in baseURL, without https:// and path, for example api.example.jp or api.example.jp:8443.`,
    );
  },
);
