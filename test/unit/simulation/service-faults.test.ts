import { describe, expect, it } from 'vitest';
import { type Fault, faults, faultsOf } from '../../../src/shadow/service/faults.ts';
import type { ServiceAnswer } from '../../../src/shadow/service/types.ts';
import { epoch } from '../../simulation/certificates.ts';
import { answered, ids, preparations, requestOf, routes, startService, worldText } from './service-requests.ts';

const { truck, depot, shop } = ids;

/** What each fault answers, and whether the operation is done. */
const errorBody = (code: string) => expect.stringContaining(`"error_code":"${code}"`);
type Expected = { readonly isDone: boolean; readonly answer: unknown };
const refusedWith = (isDone: boolean, status: number, code: string, retryAfter?: string): Expected => ({
  isDone,
  answer: {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
    body: errorBody(code),
  },
});
const proxied = (isDone: boolean, status: number): Expected => ({
  isDone,
  answer: { status, headers: { 'content-type': 'text/html' }, body: expect.stringMatching(/^<html>/) },
});
const expectations: Partial<Record<Fault, (plain: ServiceAnswer) => Expected>> = {
  'too many requests': () => refusedWith(false, 429, 'too_many_request'),
  'too many requests, retry later': () => refusedWith(false, 429, 'too_many_request', '30'),
  conflict: () => refusedWith(false, 409, 'conflict'),
  'conflict that repeats what was sent': () => refusedWith(false, 409, 'conflict'),
  'still creating': () => refusedWith(false, 409, 'still_creating'),
  locked: () => refusedWith(false, 423, 'locked'),
  'internal error': () => refusedWith(false, 500, 'internal_server_error'),
  unavailable: () => refusedWith(false, 503, 'service_temporarily_unavailable'),
  'throttled by 503': () => refusedWith(false, 503, 'too_many_request'),
  unauthorized: () => ({
    isDone: false,
    answer: {
      status: 401,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'www-authenticate': [
          expect.stringContaining('Digest'),
          expect.stringContaining('Digest'),
          expect.stringContaining('Basic'),
        ],
      },
      body: errorBody('unauthorized'),
    },
  }),
  'bad gateway': () => proxied(false, 502),
  'not found by a proxy': () => proxied(false, 404),
  'not found by a proxy, in JSON': () => ({
    isDone: false,
    answer: { status: 404, headers: { 'content-type': 'application/json' }, body: '{"message":"no route matched"}' },
  }),
  'cut before': () => ({ isDone: false, answer: 'cut' }),
  'stall before': () => ({ isDone: false, answer: 'stall' }),
  'internal error after': () => refusedWith(true, 500, 'internal_server_error'),
  'timeout after': () => refusedWith(true, 503, 'operation_timeout'),
  'gateway timeout after': () => proxied(true, 504),
  'cut after': () => ({ isDone: true, answer: 'cut' }),
  'stall after': () => ({ isDone: true, answer: 'stall' }),
  garbage: (plain) => ({ isDone: true, answer: { ...plain, body: expect.stringContaining('\u0000\u0001garbage') } }),
  truncated: (plain) => ({
    isDone: true,
    answer: { ...plain, body: plain.body.slice(0, 1 + Math.floor((plain.body.length - 1) / 2)) },
  }),
  html: () => ({
    isDone: true,
    answer: {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: expect.stringContaining('<!DOCTYPE html>'),
    },
  }),
  empty: (plain) => ({ isDone: true, answer: { ...plain, body: '' } }),
  'not ok': (plain) => ({
    isDone: true,
    answer: { ...plain, body: plain.body.replace('{"is_ok":true', '{"is_ok":false') },
  }),
};
const others = [
  'list without its array',
  'list misses a member',
  'list doubles a member',
  'list total too high',
  'list total too low',
  'list is stale',
  'shown late',
] as const;

describe('a fault', () => {
  it('has an expectation', () => {
    expect([...Object.keys(expectations), ...others].toSorted()).toEqual(faults.toSorted());
  });

  it.each(Object.entries(expectations))('%s does what it says to each operation', (name, expectation) => {
    const fault = faults.find((one) => one === name);
    const meant = routes.filter((route) => faultsOf(route).some((one) => one === fault));
    const met = meant.map((route) => {
      const [faulty, sound] = [startService().service, startService().service];
      const before = worldText(faulty);
      const plain = answered(sound.handle(requestOf(route)));
      const answer = faulty.handle(requestOf(route), fault);
      const arrival = faulty.arrivals.at(-1);
      const { isDone, answer: expected } = expectation?.(plain) ?? {};
      expect({ route, answer, world: worldText(faulty), changes: faulty.changes.length, arrival }).toEqual({
        route,
        answer: expected,
        world: isDone ? worldText(sound) : before,
        changes: isDone ? sound.changes.length : preparations.length,
        arrival: {
          ...sound.arrivals.at(-1),
          isCarriedOut: isDone,
          outcome: typeof answer === 'string' ? answer : answer.status,
          fault: arrival?.fault,
        },
      });
      return arrival?.fault;
    });
    // A picture is neither ok nor not.
    const picture = fault === 'not ok' ? 1 : 0;
    expect(met.filter((one) => one === fault).length).toBe(meant.length - picture);
    expect(meant.length).toBeGreaterThan(30);
  });

  it('is another where it makes no sense', () => {
    const substitutes = routes.flatMap((route) =>
      faults.flatMap((fault) => {
        if (faultsOf(route).includes(fault)) return [];
        const { service } = startService();
        service.handle(requestOf(route), fault);
        return [service.arrivals.at(-1)?.fault];
      }),
    );
    expect(substitutes.every((fault) => fault !== undefined)).toBe(true);
    expect(new Set(substitutes)).toEqual(
      new Set([
        'stall before',
        'internal error',
        'bad gateway',
        'truncated',
        'unavailable',
        'cut after',
        'cut before',
        'still creating',
      ]),
    );
  });

  it.each([
    ['forbidden', 403],
    ['not ok, and not done', 200],
  ] as const)('of the kind that only stories tell of, %s, leaves all as it is', (fault, status) => {
    const { service } = startService();
    const before = worldText(service);
    expect(answered(service.handle(requestOf('PUT /commonserviceitem/:id/sim/ip'), fault)).status).toBe(status);
    expect(worldText(service)).toBe(before);
    expect(service.arrivals.at(-1)).toMatchObject({ isCarriedOut: false, outcome: status, fault });
  });

  it('that repeats what was sent has it in its complaint', () => {
    const { service } = startService();
    const request = requestOf('PUT /commonserviceitem/:id/sim/ip');
    const { body } = answered(service.handle(request, 'conflict that repeats what was sent'));
    expect(JSON.parse(body).error_msg).toContain(request.body);
  });

  it('leaves a refusal of the service what it is', () => {
    const { service } = startService();
    const refused = () => requestOf('DELETE /commonserviceitem/:id', { path: `/commonserviceitem/${truck}` });
    expect(answered(service.handle(refused(), 'not ok')).status).toBe(409);
    expect(service.arrivals.at(-1)).toMatchObject({ isCarriedOut: false, outcome: 409, fault: undefined });
    expect(service.handle(refused(), 'cut after')).toBe('cut');
    expect(service.arrivals.at(-1)).toMatchObject({ isCarriedOut: false, outcome: 'cut', fault: 'cut after' });
  });
});

const countedLists = [
  ['GET /commonserviceitem', 'CommonServiceItems', 4],
  ['GET /appliance', 'Appliances', 3],
  ['GET /appliance/:id/mobilegateway/sims', 'sim', 2],
  ['GET webaccel/site', 'Sites', 2],
] as const;
const uncountedLists = [
  ['GET /appliance/:id/mobilegateway/simroutes', 'sim_routes', 1],
  ['GET webaccel/monthlyusage', 'MonthlyUsages', 2],
] as const;

/** How many elements a faulty list has, how many different ones, what it says of their number, and the fault met. */
function told(route: string, member: string, fault: Fault) {
  const { service } = startService();
  const body = JSON.parse(answered(service.handle(requestOf(route), fault)).body);
  const elements: object[] = body[member];
  const different = new Set(elements.map((element) => JSON.stringify({ ...element, Index: 0 }))).size;
  return [elements.length, different, body.Count, body.Total, service.arrivals.at(-1)?.fault];
}

describe.each(countedLists)('of a list, %s,', (route, member, count) => {
  it.each([
    ['list misses a member', [count - 1, count - 1, count - 1, count - 1]],
    ['list doubles a member', [count + 1, count, count + 1, count + 1]],
    ['list total too high', [count, count, count, count + 1]],
    ['list total too low', [count, count, count, count - 1]],
  ] as const)('%s', (fault, numbers) => {
    expect(told(route, member, fault)).toEqual([...numbers, fault]);
  });
});

describe.each(uncountedLists)('of a list, %s,', (route, member, count) => {
  it.each([
    ['list misses a member', [count - 1, count - 1, undefined, undefined]],
    ['list doubles a member', [count + 1, count, undefined, undefined]],
  ] as const)('%s', (fault, numbers) => {
    expect(told(route, member, fault)).toEqual([...numbers, fault]);
  });
});

describe.each([...countedLists, ...uncountedLists])('a list without its array, %s,', (route, member) => {
  it('has all its other members', () => {
    const { service } = startService();
    const plain = JSON.parse(answered(startService().service.handle(requestOf(route))).body);
    const body = JSON.parse(answered(service.handle(requestOf(route), 'list without its array')).body);
    expect({ ...body, [member]: plain[member] }).toEqual(plain);
    expect(body).not.toHaveProperty(member);
  });
});

describe.each([...countedLists, ...uncountedLists])('a stale list, %s,', (route, member, count) => {
  it('is as it was half a minute ago, byte for byte', () => {
    const [stale, twin] = [startService(), startService()];
    const then = answered(twin.service.handle(requestOf(route)));
    stale.time.now += 1;
    stale.service.edit({
      sims: { [truck]: { name: 'renamed', activated: false } },
      gateways: { [depot]: { name: 'renamed', simRoutes: [] } },
    });
    stale.service.remove('sites', shop);
    stale.time.now += 29_999;
    expect(stale.service.handle(requestOf(route), 'list is stale')).toEqual(then);
    expect(stale.service.arrivals.at(-1)?.fault).toBe('list is stale');
    expect(stale.service.handle(requestOf(route))).not.toEqual(then);
  });

  it('is none from before the service began', () => {
    const { service, time } = startService({ random: () => 0.999 });
    time.now = epoch + 1000;
    expect(JSON.parse(answered(service.handle(requestOf(route), 'list is stale')).body)[member]).toHaveLength(count);
  });
});

describe('what is shown late', () => {
  it.each([
    ['POST /commonserviceitem', 'GET /commonserviceitem', 'CommonServiceItem'],
    ['POST /appliance', 'GET /appliance', 'Appliance'],
  ])('by %s is in no list and not found for up to three minutes', (create, list, member) => {
    const { service, time } = startService();
    const made = JSON.parse(answered(service.handle(requestOf(create), 'shown late')).body);
    const id: string = made[member].ID;
    const found = () => {
      const path = `${list.split(' ')[1] ?? ''}/${id}`;
      const one = answered(service.handle(requestOf(list, { path })));
      return [one.status, answered(service.handle(requestOf(list))).body.includes(id)];
    };
    const early = found();
    time.now += 89_999;
    const late = found();
    time.now += 1;
    expect([early, late, found()]).toEqual([
      [404, false],
      [404, false],
      [200, true],
    ]);
    expect(service.settings.shownAfterCreate).toBe(0);
    service.handle(requestOf(create));
    expect(service.arrivals.at(-1)?.outcome).toBe(create === 'POST /appliance' ? 202 : 409);
  });
});
