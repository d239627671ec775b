import { createHash } from 'node:crypto';
import type { Chance } from './random.ts';
import { controlRequests, knownObjects, listQueries, type Material, plainQueries, serviceBodies } from './templates.ts';
import { hostileJSON, hostileText, hostileValue, mutated } from './values.ts';

export interface HostileRequest {
  readonly to: 'service' | 'control';
  readonly bytes: Buffer;
  /** The connection is given up before the request is whole. */
  readonly abandoned: boolean;
}

export const hostileCredentials = ['token', 'secret-of-token'] as const;
const oddZones = ['tk1a', 'nowhere', '%69s1a', '__proto__', ''] as const;
const anything = Object.values(knownObjects).flat();

/** Makes requests of every route that are nearly right, wrong in every place, or no HTTP at all. */
export function createHostileRequests(routes: readonly string[], material: Material, chance: Chance) {
  const bodies = serviceBodies(material);
  const ofControl = controlRequests(material);

  function serviceRequest(): HostileRequest {
    const route = chance.of(routes);
    const [method = 'GET', template = '/'] = route.split(' ');
    const words = template.split('/');
    const [id, home] = chance.of(chance.oneIn(20) ? anything : (knownObjects[words[1] ?? ''] ?? anything));
    const zone = chance.oneIn(30) ? chance.of(oddZones) : home;
    const prefix =
      words[0] === 'webaccel'
        ? `/cloud/zone/${chance.oneIn(50) ? zone : 'is1a'}/api/webaccel/1.0`
        : `/cloud/zone/${zone}/api/cloud/1.1`;
    const segments = words.slice(1).map((word, index) => {
      if (!word.startsWith(':')) return word;
      if (chance.oneIn(12)) return encodeURIComponent(hostileText(chance).slice(0, 500).toWellFormed());
      return index === 1 ? id : chance.of(anything)[0];
    });
    const path = `/${segments.join('/')}`;
    const mark = chance.oneIn(3) ? `?${query()}` : '';
    const target = chance.oneIn(200) ? rawTarget() : printable(`${prefix}${path}${mark}`);
    const takesBody = method !== 'GET' || chance.oneIn(20);
    const body = takesBody ? serviceBody(template) : undefined;
    return framed('service', chance.oneIn(100) ? strangeMethod() : method, target, body, [
      ...authorization(method, target),
      ...(chance.oneIn(3) ? ['X-Sakura-Bigint-As-Int: 1'] : []),
    ]);
  }

  function controlRequest(): HostileRequest {
    const [method, path, body] = chance.of(ofControl);
    const target = chance.oneIn(30) ? printable(`${path}/${hostileText(chance)}`) : path;
    const sent = body === undefined ? undefined : hostileJSON(mutated(body, chance, likelihood()), chance);
    return framed('control', method, target, sent, chance.oneIn(200) ? ['Origin: https://evil.example'] : []);
  }

  function framed(
    to: HostileRequest['to'],
    method: string,
    target: string,
    body: Buffer | undefined,
    headers: readonly string[],
  ): HostileRequest {
    const abandoned = chance.oneIn(100);
    const closes = method === 'HEAD' || method === 'CONNECT';
    const length = body === undefined ? [] : [`Content-Length: ${body.length + (abandoned ? 10 : 0)}`];
    const odd = chance.oneIn(100)
      ? [
          chance.of([
            'Content-Type: text/plain',
            'X-Empty:',
            'Expect: 100-continue',
            'Expect: more',
            'Upgrade: h2c',
            `X-Long: ${'x'.repeat(20_000)}`,
          ]),
        ]
      : [];
    const head = [
      `${method} ${target} HTTP/1.1`,
      'Host: localhost',
      ...headers,
      ...length,
      ...odd,
      ...(closes ? ['Connection: close'] : []),
    ];
    return {
      to,
      abandoned,
      bytes: Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]),
    };
  }

  function serviceBody(template: string): Buffer | undefined {
    const found = Object.entries(bodies).filter(([end]) => template.replace(/^webaccel/, '').endsWith(end));
    const [, candidates = [{}]] = found.sort(([one], [other]) => other.length - one.length)[0] ?? [];
    const body = mutated(chance.of(candidates), chance, likelihood());
    return chance.oneIn(30) ? undefined : hostileJSON(withBrokenPEM(body), chance);
  }

  /** Now and then a byte of a certificate is another. */
  function withBrokenPEM(body: unknown): unknown {
    if (!chance.oneIn(3)) return body;
    return JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) => {
      if ((name !== 'CertificateChain' && name !== 'Key') || typeof value !== 'string' || value.length < 100)
        return value;
      const at = 30 + chance.below(value.length - 60);
      return value.slice(0, at) + chance.of(['A', 'z', '/', '0', '\n', '=']) + value.slice(at + 1);
    });
  }

  const likelihood = () => chance.of([0, 0, 0.02, 0.1, 0.4]);

  function query(): string {
    if (chance.oneIn(4)) return chance.of(plainQueries);
    const json = JSON.stringify(mutated(chance.of(listQueries), chance, likelihood())) ?? '';
    const short = json.slice(0, 3_000);
    return chance.oneIn(2) ? encodeURIComponent(short.toWellFormed()) : short;
  }

  function authorization(method: string, target: string): string[] {
    const [user, secret] = hostileCredentials;
    if (!chance.oneIn(12)) return [`Authorization: Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`];
    if (chance.oneIn(6)) return [];
    if (chance.oneIn(3))
      return [`Authorization: ${headerText(hostileText(chance))} ${headerText(hostileText(chance))}`];
    const response = createHash('md5').update(`${method}:${target}`).digest('hex');
    const odd = (right: string) => (chance.oneIn(4) ? headerText(String(hostileValue(chance))) : right);
    const parameters = {
      username: odd(user),
      realm: odd('Simulated service'),
      nonce: odd(`${Date.now().toString(36)}.0.é${'0'.repeat(31)}`),
      uri: odd(target),
      qop: 'auth',
      nc: odd('00000001'),
      cnonce: odd('c'),
      response: odd(chance.of([response, `é${response.slice(1)}`])),
      algorithm: odd('MD5'),
    };
    const text = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    return [`Authorization: Digest ${text.join(', ')}`];
  }

  const strangeMethod = () =>
    chance.of(['HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', 'M-SEARCH']);
  const rawTarget = () =>
    chance.of([
      '*',
      '//',
      '/',
      '/%ff',
      'http://other.example/',
      'https://[',
      '/cloud',
      '/cloud/zone//api/cloud/1.1/',
      `/${'a/'.repeat(4_000)}`,
    ]);

  return function next(): HostileRequest {
    if (chance.oneIn(300)) {
      const bytes = Buffer.from(Array.from({ length: 1 + chance.below(300) }, () => chance.below(256)));
      return { to: chance.oneIn(2) ? 'service' : 'control', bytes, abandoned: true };
    }
    return chance.oneIn(6) ? controlRequest() : serviceRequest();
  };
}

/** Without what would end a request line. */
function printable(target: string): string {
  return target.replaceAll(/[^\x21-\xff]/g, '%20');
}

function headerText(text: string): string {
  return text
    .slice(0, 2_000)
    .replaceAll(/[^\x20-\xff]/g, '?')
    .replaceAll('"', '\\"');
}
