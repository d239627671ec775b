import { describe, expect, test } from 'vitest';
import { digestAuthorization, digestChallenge, parseChallenges } from '../../../../src/cloud/http/auth-digest.ts';

describe('the example of RFC 7616, section 3.9.1', () => {
  const header = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('%s', (algorithm, response) => {
    const challenge = digestChallenge([header(algorithm)])!;
    const authorization = digestAuthorization({
      challenge,
      username: 'Mufasa',
      password: 'Circle of Life',
      method: 'GET',
      uri: '/dir/index.html',
      nonceCount: 1,
      cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    });
    expect(authorization).toBe(
      'Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
        `uri="/dir/index.html", algorithm=${algorithm}, response="${response}", qop=auth, nc=00000001, ` +
        'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    );
  });
});

test('RFC 2069 form for a server without qop', () => {
  const challenge = digestChallenge(['Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'])!;
  const input = { challenge, username: 'Mufasa', password: 'CircleOfLife', method: 'GET', uri: '/dir/index.html' };
  expect(digestAuthorization({ ...input, nonceCount: 1, cnonce: 'x' })).toContain(
    'response="1949323746fe6a43ef61f9606e7febea"',
  );
});

test.each([
  [
    'SHA-256 before MD5, in separate headers',
    [
      'Digest realm="r", nonce="m", qop="auth", algorithm=MD5',
      'Digest realm="r", nonce="s", qop="auth", algorithm=SHA-256',
    ],
    's',
  ],
  [
    'SHA-256 before MD5, in one header',
    [
      'Digest realm="r", nonce="m", qop="auth", algorithm=MD5, Digest realm="r", nonce="s", qop="auth", algorithm=sha-256',
    ],
    's',
  ],
  ['beside Basic', ['Basic realm="r", Digest realm="r", nonce="d", qop="auth"'], 'd'],
  [
    'the one that can be answered',
    ['Digest nonce="x", algorithm=SHA-512-256, Digest nonce="y", qop="auth-int", Digest nonce="z", qop="auth"'],
    'z',
  ],
])('picks %s', (_, headers, nonce) => {
  expect(digestChallenge(headers)?.nonce).toBe(nonce);
});

test.each([[['Basic realm="r"']], [['Digest realm="r"']], [[]], [['Digest nonce="x", algorithm=SHA-512-256']]])(
  'nothing to answer in %j',
  (headers) => {
    expect(digestChallenge(headers)).toBeUndefined();
  },
);

test('quoted commas and escaped quotes stay inside their value', () => {
  const [challenge] = parseChallenges(['Digest realm="a, \\"b\\"=c", nonce = "n", stale=TRUE']);
  expect([...challenge!.parameters]).toEqual([
    ['realm', 'a, "b"=c'],
    ['nonce', 'n'],
    ['stale', 'TRUE'],
  ]);
});
