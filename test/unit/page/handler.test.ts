import { describe, expect, it } from 'vitest';
import { conditionsOf } from '../../../src/cli/standing.ts';
import type { PageSource } from '../../../src/operator/page-source.ts';
import { statusPage } from '../../../src/page/handler.ts';
import { UNSAFE } from '../../../src/unsafe.ts';
import { changeAt, fleetOf, hostileFleet, hostileTexts, pageSourceOf, simOf } from '../../support/page.ts';

const local = { host: '127.0.0.1:8082' };

async function get(source: PageSource, query = '', headers: Record<string, string> = local) {
  const handler = statusPage(source)['/'];
  if (!handler) throw new Error('there is no page');
  return handler(new URLSearchParams(query), '', headers);
}

/** The names of the objects in the first column of the tables, in their order. */
function objectsIn(body: string): string[] {
  return [...body.matchAll(/<th scope="row" role="rowheader"><a href="[^"]*">([^<]*)<\/a>/g)].map(
    ([, name = '']) => name,
  );
}

describe('the status page', () => {
  it('shows first what needs a person, then accounts, kinds, certificates by expiry, changes and the queue', async () => {
    const changes = () => [changeAt(Date.parse('2026-11-22T11:00:00Z'), 'truck-00003', '10.0.0.18')];
    const { status, body } = await get(pageSourceOf(fleetOf(200), { changes }));
    expect(status).toBe(200);
    expect(objectsIn(body)).toEqual([
      'sim/truck-00099',
      'sim/truck-00199',
      'CloudAccount',
      'Sim',
      'MobileGateway',
      'WebAccelSite',
      'SiteCertificate',
      'sitecertificate/media',
      'sitecertificate/shop',
      'sim/truck-00003',
    ]);
    expect(body).toContain('312 of 500 web acceleration requests of the hour used');
    expect(body).toContain('changes 4, lists 1');
    expect(body).toContain('the last one failed');
    expect(body).toContain('ipAddress: from 10.0.0.16 to 10.0.0.18');
    expect(body).toContain('3 wait for a worker, 2 are worked on.');
  });

  it.each([
    ['kind=sim&state=NotReady', ['sim/truck-00099', 'sim/truck-00199']],
    ['q=ICCID+8981040000000000042', ['sim/truck-00042']],
    ['q=sim/truck-00007+DOWN', ['sim/truck-00007']],
    ['q=gateway+not+ready', ['sim/truck-00099', 'sim/truck-00199']],
    ['kind=webaccelsite', ['webaccelsite/media', 'webaccelsite/shop']],
    ['view=certificates', ['sitecertificate/media', 'sitecertificate/shop']],
    ['namespace=elsewhere', []],
  ])('of %s shows %j', async (query, expected) => {
    const { body } = await get(pageSourceOf(fleetOf(200)), query);
    expect(objectsIn(body)).toEqual(expected);
  });

  it('shows what is Ready and has a warning, after what is not Ready, and what it warns of', async () => {
    const warned = fleetOf(3).map((object) => {
      const conditions = conditionsOf(object).map((one) =>
        one.type === 'Ready' ? { ...one, message: `${one.message} Warning: The limit does nothing.` } : one,
      );
      return object.kind === 'MobileGateway' ? { ...object, status: { ...object.status, conditions } } : object;
    });
    for (const query of ['', 'state=attention']) {
      const { body } = await get(pageSourceOf(warned), query);
      expect(objectsIn(body)[0]).toBe('mobilegateway/depot');
      expect(body).toContain('Warning: The limit does nothing.');
    }
  });

  it('shows fifty at a time, and goes from page to page', async () => {
    const source = pageSourceOf(fleetOf(120));
    const seen: string[] = [];
    for (const page of [1, 2, 3]) seen.push(...objectsIn((await get(source, `kind=sim&page=${page}`)).body));
    expect(new Set(seen).size).toBe(120);
    const { body } = await get(source, 'kind=sim&page=99');
    expect(body).toContain('Page 3 of 3');
    expect(body).toContain('?view=resources&amp;kind=sim&amp;page=2');
  });

  it('of one object says why it is not Ready, what to do, and what to type', async () => {
    const { body } = await get(pageSourceOf(fleetOf(100)), 'object=sim/fleet/truck-00099');
    expect(body).toContain('<strong>GatewayNotReady</strong>: The MobileGateway depot is not ready yet.');
    expect(body).toContain('<code class="command">kubectl edgeline explain sim/truck-00099 -n fleet</code>');
    expect(body).toContain('<h3>What to do</h3>');
  });

  it('is the same size for ten and for ten thousand', async () => {
    const few = (await get(pageSourceOf(fleetOf(100)))).body.length;
    const many = (await get(pageSourceOf(fleetOf(10_000)))).body.length;
    expect(many).toBeLessThan(60_000);
    expect(many - few).toBeLessThan(30_000);
  });

  it('shows no mark-up of a tenant, and nothing that turns a line round', async () => {
    const source = pageSourceOf(hostileFleet());
    for (const query of [
      '',
      'view=resources',
      'view=certificates',
      ...hostileTexts.map((_, index) => `object=sim/fleet/h${index}`),
    ]) {
      const { status, body } = await get(source, query);
      expect(status).toBe(200);
      const inMain = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
      expect(inMain).not.toMatch(/<script|<img|<h1/);
      expect(inMain.replaceAll('\n', '').search(UNSAFE)).toBe(-1);
      expect(inMain).not.toContain('--hash <');
      expect(body.length).toBeLessThan(500_000);
    }
    const { body } = await get(source, `q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it.each([
    ['127.0.0.1:8082', 200],
    ['localhost:18082', 200],
    ['LOCALHOST', 200],
    ['[::1]:8082', 200],
    ['rebound.example:8082', 403],
    ['127.0.0.1.rebound.example', 403],
    ['localhost:8082@rebound.example', 403],
    ['', 403],
  ])('at a loopback address answers %s with %i', async (host, expected) => {
    const { status, body } = await get(pageSourceOf([simOf(1)]), 'view=resources', { host });
    expect([status, body.includes('truck-00001')]).toEqual([expected, expected === 200]);
  });

  it.each([
    [{ state: 'Starting' } as const, 'is still reading what there is'],
    [
      { state: 'StandingBy', holder: 'edgeline-operator-x2' } as const,
      'kubectl port-forward pod/edgeline-operator-x2 8082',
    ],
    [{ state: 'StandingBy', holder: undefined } as const, 'nobody holds the Lease'],
  ])('of a replica that does not lead shows no data: %j', async (as, expected) => {
    const { status, body, headers } = await get(pageSourceOf(fleetOf(10), { as, listen: '127.0.0.1:8082' }));
    expect([status, headers?.['retry-after']]).toEqual([503, '5']);
    expect(body).toContain(expected);
    expect(body).not.toContain('truck');
  });

  it('says that the apiserver has been silent', async () => {
    const source = pageSourceOf([simOf(1)], { watchedAt: () => Date.now() - 300_000 });
    expect((await get(source)).body).toContain('The apiserver has been silent for longer than it should be');
    expect((await get(pageSourceOf([simOf(1)]))).body).not.toContain('has been silent');
  });

  it('answers so many at a time, and tells the rest to come again', async () => {
    const handler = statusPage(pageSourceOf(fleetOf(1000)))['/'];
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => handler?.(new URLSearchParams(), '', local)),
    );
    const counts = Map.groupBy(answers, (answer) => answer?.status);
    expect([...counts].map(([status, of]) => [status, of.length])).toEqual([
      [200, 34],
      [503, 66],
    ]);
  });

  it('lets nothing be loaded, sent or framed, and is kept nowhere', async () => {
    const { headers } = await get(pageSourceOf([]));
    expect(headers?.['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
  });
});
