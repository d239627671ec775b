import { expect, test } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { PASS_CODE } from './tenants.ts';

/** A namespace that is deleted is everybody's, for nobody can make a Lease in it; one of its name that is made later is not. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/ci';
const NAMESPACE = '/api/v1/namespaces/ci';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** As it is before, with another Sim. */
function makeAnew(fleet: ReturnType<typeof createVirtualFleet>): void {
  const credentials = { accessToken: base64('token-ci'), accessTokenSecret: base64('secret-ci') };
  fleet.create('/api/v1/namespaces', { metadata: { name: 'ci' } });
  fleet.create(`${NAMESPACE}/secrets`, { metadata: { name: 'credentials' }, data: credentials });
  fleet.create(`${NAMESPACE}/secrets`, {
    metadata: { name: 'pass-codes' },
    data: { code: base64('virtual-pass-code') },
  });
  fleet.create(`${GROUP}/cloudaccounts`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
  });
  fleet.create(`${GROUP}/sims`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'b' },
    spec: { iccid: iccidOf(2), ...PASS_CODE },
  });
}

const ALL = {};
/** Then namespaces are not watched. */
const ONE = { namespaces: ['ci'] };

test.each([
  [1, 'at once', ALL],
  [1, 'after 10 s', ALL],
  [2, 'at once', ALL],
  [2, 'after 10 s', ALL],
  [2, 'after an hour', ALL],
  [1, 'at once', ONE],
  [1, 'after 10 s', ONE],
  [2, 'at once', ONE],
  [2, 'after 10 s', ONE],
])(
  'of %i installations one acts in a namespace that was deleted and made anew %s: %o',
  async (installations, when, watched) => {
    const fleet = createVirtualFleet({ seeds: { ci: {} } });
    const { world } = fleet;
    const ask = (method: 'GET' | 'DELETE') => world.apiserver.handle({ method, path: NAMESPACE, user: 'user' }).status;
    world.start('one', watched);
    if (installations === 2) world.start('two', { leaseNamespace: 'two-system', ...watched });
    fleet.createSim('ci', 'a', 1, PASS_CODE);
    await world.run(120 * SECOND);
    ask('DELETE');
    for (let tries = 0; tries < 20 && ask('GET') === 200; tries++) {
      world.apiserver.runControllers();
      if (ask('GET') === 200) await world.run(world.now() + 5 * SECOND);
    }
    expect(ask('GET')).toBe(404);
    const seconds = { 'at once': 0, 'after 10 s': 10 }[when] ?? 3601.3;
    if (seconds > 0) await world.run(world.now() + seconds * SECOND);

    const acted = new Set<string>();
    world.onMessage((moment, { process, to, verb, route, target }) => {
      const isOfNamespace = target.includes('/ci/') && !route.includes('leases') && !route.includes('events');
      if (moment === 'begun' && !/^(get|list|watch)$/i.test(verb) && (to === 'service' || isOfNamespace))
        acted.add(process);
    });
    makeAnew(fleet);
    await world.run(world.now() + 60 * SECOND);
    expect([acted.size, [...fleet.waiting('ci')]]).toEqual([1, []]);
  },
);

test.each([
  [0, ALL],
  [2, ALL],
  [8, ALL],
  [2, ONE],
])(
  'nobody acts without the Lease in one that was made anew though its account is seen before that the old one is gone (%i s): %o',
  async (lag, other) => {
    const fleet = createVirtualFleet({ seeds: { ci: {} } });
    const { world } = fleet;
    let isSlow = false;
    const { handle } = world.apiserver;
    Object.assign(world.apiserver, {
      handle(request: Parameters<typeof handle>[0]) {
        const answer = handle(request);
        const isMeant = request.user === 'one' && request.path.startsWith('/api/v1/namespaces?');
        if (!isMeant || !('watch' in answer)) return answer;
        const { watch } = answer;
        const later = (run: () => void) => (isSlow ? world.at(world.now() + lag * SECOND, run) : run());
        return {
          ...answer,
          watch: {
            ...watch,
            subscribe: (to: Parameters<typeof watch.subscribe>[0]) =>
              watch.subscribe({ line: (text) => later(() => to.line(text)), end: () => later(() => to.end()) }),
          },
        };
      },
    });
    const ask = (method: 'GET' | 'DELETE') => world.apiserver.handle({ method, path: NAMESPACE, user: 'user' }).status;
    world.start('one', ALL);
    world.start('two', { leaseNamespace: 'two-system', ...other });
    fleet.createSim('ci', 'a', 1, PASS_CODE);
    await world.run(120 * SECOND);
    ask('DELETE');
    // The operators let go what is in it, seeing that it is being deleted.
    await world.run(world.now() + 2 * SECOND);
    isSlow = true;
    for (let tries = 0; tries < 200 && ask('GET') === 200; tries++) {
      world.apiserver.runControllers();
      if (ask('GET') === 200) await world.run(world.now() + SECOND / 10);
    }
    expect(ask('GET')).toBe(404);
    const acted = new Set<string>();
    const strangers = new Set<string>();
    world.onMessage((moment, { process, to, verb, route, target }) => {
      const isOfNamespace = target.includes('/ci/') && !route.includes('leases') && !route.includes('events');
      if (moment !== 'begun' || /^(get|list|watch)$/i.test(verb) || (to !== 'service' && !isOfNamespace)) return;
      acted.add(process);
      const lease = world.apiserver.get('leases', 'ci', 'edgeline-holder');
      const holder = JSON.stringify(lease).includes('two-system/') ? 'two' : 'one';
      if (!lease || holder !== process) strangers.add(`${process} ${route}`);
    });
    makeAnew(fleet);
    await world.run(world.now() + 100 * SECOND);
    expect([[...strangers], acted.size, [...fleet.waiting('ci')]]).toEqual([[], 1, []]);
  },
);
