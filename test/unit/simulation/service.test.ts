import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { faults } from '../../../src/shadow/service/faults.ts';
import { changedMembers } from '../../../src/shadow/service/ledger.ts';
import type { Change } from '../../../src/shadow/service/types.ts';
import { epoch } from '../../simulation/certificates.ts';
import { type Answer, startService as startOverHTTPS } from '../simulator/service.ts';
import {
  answered,
  basic,
  ids,
  preparations,
  requestOf,
  routes,
  seed,
  startService,
  worldText,
} from './service-requests.ts';

const { truck, idle, spare, depot, shop } = ids;

/** The same sequence for the same seed, from 0 to 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** Some hundreds of requests of all kinds, many with a fault, and edits between them. */
function life(seed: number): string {
  const random = chance(seed);
  const { service, time } = startService({ random });
  const told: Change[] = [];
  service.onChange((change) => told.push(change));
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const answers = Array.from({ length: 400 }, () => {
    time.now += Math.floor(random() * 20_000);
    if (random() < 0.05) {
      const sim = pick([...service.world('one').sims.keys()]) ?? '';
      service.edit({ sims: { [sim]: { name: `edited-${time.now}` } } });
    }
    return service.handle(requestOf(pick(routes) ?? ''), random() < 0.4 ? pick(faults) : undefined);
  });
  return JSON.stringify({ answers, told, arrivals: service.arrivals, world: worldText(service) });
}

const pair = ['one', 'secret of one'] as const;

/** Without the number of the answer; a picture as text, as the client of the other test reads it. */
function comparable({ status, headers, body }: Pick<Answer, 'status' | 'headers'> & { readonly body: string }): object {
  const type = headers['content-type'];
  const isPicture = type === 'image/png' && body.startsWith('\u0089');
  const text = isPicture ? Buffer.from(body, 'latin1').toString('utf8') : body;
  return { status, type, body: text.replace(/"serial":"[0-9a-f]+"/, '') };
}

describe('the service in process', () => {
  it('gives the same bytes for the same inputs, and others for others', () => {
    expect(life(1)).toBe(life(1));
    expect(life(2)).not.toBe(life(1));
  });

  it('carries out every operation of the simulator', () => {
    expect(routes.toSorted()).toEqual(startService().service.routes);
    const refused = routes.filter((route) => {
      const { service } = startService();
      return answered(service.handle(requestOf(route))).status >= 300;
    });
    expect(refused).toEqual([]);
  });

  it.each([false, true])('answers byte for byte what it answers over HTTPS; extended: %s', async (extended) => {
    const { service, time } = startService();
    time.now = epoch;
    const served = await startOverHTTPS({
      accessToken: 'one',
      accessTokenSecret: 'secret of one',
      seed,
      migratingMilliseconds: 2000,
    });
    try {
      for (const { method, target, body } of preparations) await served.call(method, target, body, { as: pair });
      const headers = { authorization: basic('one'), ...(extended && { 'x-sakura-bigint-as-int': '1' }) };
      const statuses = new Map<number, number>();
      // What worked the first time is refused the second time, much of it.
      for (const route of [...routes, ...routes]) {
        const { method, target, body } = requestOf(route);
        const answer = answered(service.handle(requestOf(route, { headers })));
        const over = await served.call(method, target, body, { headers });
        expect({ route, ...comparable(answer) }).toEqual({ route, ...comparable({ ...over, body: over.text }) });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      expect(Object.fromEntries(statuses)).toEqual({ 200: 116, 201: 2, 202: 2, 400: 3, 404: 12, 409: 19 });
    } finally {
      await served.close();
    }
  });

  it('answers those whom it knows by Basic, and none whose credentials were taken back', () => {
    const { service } = startService();
    const status = (headers: Record<string, string>) =>
      answered(service.handle(requestOf('GET /commonserviceitem', { headers }))).status;
    const before = [status({ Authorization: basic('one') }), status({ authorization: basic('three') }), status({})];
    service.accept('one', false);
    const after = status({ authorization: basic('one') });
    service.accept('one', true);
    expect([...before, after, status({ authorization: basic('one') })]).toEqual([200, 401, 401, 401, 200]);
    const accounts = service.arrivals.slice(-5).map(({ account }) => account);
    expect(accounts).toEqual(['one', null, null, 'one', 'one']);
  });

  it('answers those whom it knows by Digest, with the same nonces each time', () => {
    const [one, other] = [startService().service, startService().service];
    const challenge = answered(one.handle(requestOf('GET /commonserviceitem', { headers: {} })));
    expect(answered(other.handle(requestOf('GET /commonserviceitem', { headers: {} })))).toEqual(challenge);
    const nonce = /nonce="([^"]+)"/.exec([challenge.headers['www-authenticate']].flat().join())?.[1] ?? '';
    const { target } = requestOf('GET /commonserviceitem');
    const pair = hash('sha256', 'one:Simulated service:secret of one');
    const response = hash('sha256', `${pair}:${nonce}:00000001:c:auth:${hash('sha256', `GET:${target}`)}`);
    const authorization = `Digest username="one", realm="Simulated service", nonce="${nonce}", uri="${target}", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="c", response="${response}"`;
    expect(answered(one.handle(requestOf('GET /commonserviceitem', { headers: { authorization } }))).status).toBe(200);
    expect(one.arrivals.at(-1)?.account).toBe('one');
  });

  it('refuses what goes over the limit of an hour, and lists when all requests came', () => {
    const { service, time } = startService({ settings: { webAccelLimit: 3 } });
    time.now += 3_600_000;
    const statuses = Array.from({ length: 4 }, () => {
      time.now += 1000;
      return answered(service.handle(requestOf('GET webaccel/site'))).status;
    });
    expect(statuses).toEqual([200, 200, 200, 429]);
    const start = epoch + 60_000 + 3_600_000;
    expect(service.arrivalTimes('one', 'webaccel')).toEqual([
      epoch,
      ...[1, 2, 3, 4].map((second) => start + second * 1000),
    ]);
    expect([service.arrivalTimes('one', 'cloud'), service.arrivalTimes('two', 'cloud')]).toEqual([[epoch], []]);
  });

  it('takes changed settings from the next request on', () => {
    const { service } = startService();
    service.settings.pageLimit = 1;
    const { body } = answered(service.handle(requestOf('GET /commonserviceitem')));
    expect(JSON.parse(body)).toMatchObject({ Count: 1, Total: 4 });
  });
});

describe('the ledger', () => {
  it('tells who changed what from what to what', () => {
    const { service, time } = startService();
    const told: Change[] = [];
    service.onChange((change) => told.push(change));
    service.handle(requestOf('PUT /commonserviceitem/:id/sim/ip', { from: 'operator-2' }));
    expect(told).toEqual([
      {
        at: time.now,
        from: 'operator-2',
        account: 'one',
        route: 'PUT /commonserviceitem/:id/sim/ip',
        method: 'PUT',
        ids: [truck],
        body: { sim: { ip: '10.0.0.18' } },
        status: 200,
        before: expect.objectContaining({ id: truck, ip: '10.0.0.17' }),
        after: expect.objectContaining({ id: truck, ip: '10.0.0.18' }),
        objects: [{ kind: 'sims', id: truck, before: told[0]?.before, after: told[0]?.after }],
      },
    ]);
    expect(told.map(changedMembers)).toEqual([['modifiedAt', 'ip']]);
    expect(service.world('one').sims.get(truck)).toBe(told[0]?.after);
  });

  it.each([
    ['POST /commonserviceitem', undefined, '113300000002'],
    ['DELETE /commonserviceitem/:id', spare, undefined],
    ['POST /appliance/:id/mobilegateway/sims', spare, spare],
    ['DELETE /appliance/:id/mobilegateway/sims/:id', idle, idle],
    ['PUT /appliance/:id/interface/1/to/switch/:switch_id', depot, depot],
    ['POST webaccel/site/:id/certificate', shop, shop],
    ['POST webaccel/deleteallcache', undefined, undefined],
  ])('%s is about the object it is about', (route, before, after) => {
    const { service } = startService();
    service.handle(requestOf(route));
    const change = service.changes.at(-1);
    expect([change?.route, change?.before?.id, change?.after?.id]).toEqual([route, before, after]);
  });

  it('has neither reads nor refusals, and a repeated write with nothing changed', () => {
    const { service } = startService();
    const count = service.changes.length;
    service.handle(requestOf('GET /commonserviceitem/:id'));
    service.handle(requestOf('DELETE /commonserviceitem/:id', { path: `/commonserviceitem/${truck}` }));
    expect(service.changes.length).toBe(count);
    for (let time = 0; time < 2; time++) service.handle(requestOf('PUT webaccel/site/:id/acl'));
    expect(service.changes.slice(count).map(changedMembers)).toEqual([['acl'], []]);
  });

  it('has what is edited at the control panel', () => {
    const { service } = startService();
    const count = service.changes.length;
    service.edit({ sims: { [truck]: { gatewayID: null } }, sites: { [shop]: { status: 'disabled' } } });
    const added = service.add('two', 'sims', { iccid: '8981000000000000007', name: 'other' });
    service.remove('gateways', 'depot');
    expect(
      service.changes
        .slice(count)
        .map(({ from, account, route, objects }) => [
          from,
          account,
          route,
          objects.map(({ kind, id, before, after }) => `${kind} ${id} ${before ? 1 : 0}${after ? 1 : 0}`),
        ]),
    ).toEqual([
      ['control panel', 'one', 'edit', [`sims ${truck} 11`, `gateways ${depot} 11`, `sites ${shop} 11`]],
      ['control panel', 'two', 'edit', [`sims ${added} 01`]],
      ['control panel', 'one', 'edit', [`sims ${idle} 11`, `gateways ${depot} 10`]],
    ]);
    expect([...service.world('two').sims.keys()]).toEqual([added]);
  });

  it.each(routes.filter((route) => !route.startsWith('GET ')))('keeps what was before %s as it was', (route) => {
    const { service } = startService();
    const before = worldText(service);
    const views = [...service.world('one').sims.values(), ...service.world('one').sites.values()];
    const text = JSON.stringify(views);
    service.handle(requestOf(route));
    const change = service.changes.at(-1);
    const changeText = JSON.stringify(change);
    for (const other of routes) service.handle(requestOf(other));
    service.edit({ sites: { [shop]: { settings: { DefaultCacheTTL: 600 } } }, gateways: { up: { name: 'other' } } });
    expect([JSON.stringify(views), JSON.stringify(change)]).toEqual([text, changeText]);
    expect(worldText(service)).not.toBe(before);
  });
});
