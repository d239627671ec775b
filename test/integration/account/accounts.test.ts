import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { makeCertificates, type Responder, startHTTPSServer } from '../../support/https-server.ts';
import { eventually } from '../../support/kubernetes.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET, secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const ITEM = '/commonserviceitem/:id';
const other = { accessToken: 'other-token', accessTokenSecret: 'other-secret' };

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function account(world: World, name: string, credentials: string, spec: object = {}): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name },
    spec: {
      baseURL: world.baseURL,
      credentialsSecretRef: { name: credentials },
      caBundleSecretRef: { name: 'service-ca', key: 'ca.crt' },
      limits: { cloudRequestsPerSecond: 1000 },
      ...spec,
    },
  };
}

function sim(name: string, accountName: string | undefined, spec: object = {}): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name },
    spec: {
      iccid: ICCID,
      ...(accountName && { accountRef: { kind: 'CloudAccount', name: accountName } }),
      ...spec,
    },
  };
}

/** One simulated service with two accounts, each of which has a SIM of the same ICCID. */
function twoAccounts(): Promise<World> {
  return createWorld({
    seed: {
      sims: [{ id: '113300000001', iccid: ICCID, name: 'ours' }],
      accounts: [{ name: 'other', ...other, sims: [{ id: '113300000002', iccid: ICCID, name: 'theirs' }] }],
    },
  });
}

describe.concurrent('several accounts', () => {
  it('in one namespace each look after their own: one ICCID in two accounts is no conflict', async () => {
    const world = await twoAccounts();
    await world.apply(secret('other-credentials', other));
    await world.apply(account(world, 'other', 'other-credentials'));
    await world.apply(sim('ours', undefined, { activated: true }));
    await world.apply(sim('theirs', 'other', { imeiLock: '356938035643809' }));
    expect((await world.ready('Sim', 'ours')).status).toMatchObject({ id: '113300000001' });
    expect((await world.ready('Sim', 'theirs')).status).toMatchObject({ id: '113300000002' });
    const writes = (await world.requests()).filter(({ method }) => method !== 'GET');
    expect(writes.map(({ account, route }) => `${account}: ${route}`).sort()).toEqual([
      `default: PUT ${ITEM}/sim/activate`,
      `other: PUT ${ITEM}/sim/imeilock`,
    ]);
    await world.stop();
  });

  it('in two namespaces do not cross', async () => {
    const [one, two] = await Promise.all([twoAccounts(), createWorld({ account: false })]);
    await two.apply(secret('service-ca', { 'ca.crt': one.ca }));
    await two.apply(secret('other-credentials', other));
    await two.apply(account(one, 'default', 'other-credentials'));
    await one.apply(sim('truck-17', undefined, { activated: true }));
    await two.apply(sim('truck-17', undefined, { imeiLock: '356938035643809' }));
    expect((await one.ready('Sim', 'truck-17')).status).toMatchObject({ id: '113300000001' });
    expect((await two.ready('Sim', 'truck-17')).status).toMatchObject({ id: '113300000002' });
    const { sims } = await one.simulator.state();
    expect(sims['113300000001']).toMatchObject({ activated: true, imeiLock: null });
    expect(sims['113300000002']).toMatchObject({ activated: false, imeiLock: '356938035643809' });
    await two.stop();
    await one.stop();
  });

  it('that name one identity share the list: as many lists are taken as by one', async () => {
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID }] } });
    await world.apply(
      secret('same-credentials', { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET }),
    );
    for (const name of ['second', 'third']) await world.apply(account(world, name, 'same-credentials'));
    for (const name of ['default', 'second', 'third']) await world.ready('CloudAccount', name);
    await world.apply(sim('truck-17', 'second'));
    await world.ready('Sim', 'truck-17');
    await world.settle();
    await world.forget();
    const started = performance.now();
    for (let times = 0; times < 4; times++) await world.settle();
    const polls = (performance.now() - started) / 250;
    const { 'GET /commonserviceitem': lists = 0 } = await world.counts();
    expect(lists).toBeGreaterThan(0);
    expect(lists).toBeLessThanOrEqual(Math.ceil(polls * 1.2));
    await world.stop();
  });

  it('that name one identity share claims: a SIM has one Sim, whichever account it goes by', async () => {
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID }] } });
    await world.apply(
      secret('same-credentials', { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET }),
    );
    await world.apply(account(world, 'second', 'same-credentials'));
    await world.ready('CloudAccount', 'second');
    await world.apply(sim('first-come', undefined));
    await world.ready('Sim', 'first-come');
    await world.apply(sim('late-comer', 'second'));
    const { message } = await world.condition('Sim', 'late-comer', {
      type: 'Stalled',
      status: 'True',
      reason: 'AlreadyManaged',
    });
    expect(message).toContain(`is already managed by the Sim ${world.namespace}/first-come.`);
    await world.stop();
  });
});

describe.concurrent('an account at a hostile service', () => {
  const blanks = Buffer.alloc(64 * 1024, ' ');
  const page = (items: readonly object[], more: object) => ({
    json: { is_ok: true, From: 0, Count: items.length, Total: items.length, CommonServiceItems: items, ...more },
  });
  const none = page([], {});
  const hostile: [string, Responder, string][] = [
    [
      'that sends 60 MB',
      {
        raw(response) {
          response.writeHead(200, { 'content-type': 'application/json' });
          const more = (): void => {
            while (!response.destroyed) if (!response.write(blanks)) return void response.once('drain', more);
          };
          more();
        },
      },
      'the answer is larger than 4 MiB',
    ],
    [
      'that lists without end',
      ({ target }) => {
        const [, query = '{}'] = decodeURIComponent(target).split('?');
        const { From = 0 }: { From?: number } = JSON.parse(query);
        const items = Array.from({ length: 1000 }, (_, index) => ({ ID: `${From + index}` }));
        return page(items, { From, Total: From + 5000 });
      },
      'says that there are more',
    ],
    ['that answers {}', { json: {} }, 'the answer cannot be read at'],
  ];

  it.each(hostile)('%s says why, and the others go on', async (_, answer, why) => {
    const [certificates, world] = await Promise.all([
      makeCertificates(),
      createWorld({ seed: { sims: [{ iccid: ICCID }] } }),
    ]);
    const server = await startHTTPSServer(certificates);
    server.answer(none);
    await world.apply(secret('hostile-ca', { 'ca.crt': certificates.ca }));
    await world.apply(
      account(world, 'hostile', 'service-credentials', {
        baseURL: server.baseURL,
        caBundleSecretRef: { name: 'hostile-ca', key: 'ca.crt' },
      }),
    );
    await world.ready('CloudAccount', 'hostile');
    server.answer(answer);
    const { message } = await world.condition('CloudAccount', 'hostile', {
      type: 'Ready',
      status: 'False',
      reason: 'UnexpectedResponse',
    });
    expect(message).toContain(why);
    await world.apply(sim('truck-17', undefined));
    await world.ready('Sim', 'truck-17');
    server.answer(none);
    await world.ready('CloudAccount', 'hostile');
    await world.stop();
    await server.close();
  });
});

describe.concurrent('an account', () => {
  it('asks nothing while its token is refused, and everything in it goes on at once when the Secret is right', async () => {
    const world = await createWorld({
      seed: { sims: Array.from({ length: 10 }, (_, index) => ({ iccid: `898104000000000010${index}` })) },
    });
    await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'not-the-secret' } });
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'CredentialsRejected' });
    await world.forget();
    const names = Array.from({ length: 10 }, (_, index) => `truck-${index}`);
    for (const [index, name] of names.entries())
      await world.apply(sim(name, undefined, { iccid: `898104000000000010${index}` }));
    for (const name of names)
      await world.condition('Sim', name, { type: 'Ready', status: 'False', reason: 'CredentialsRejected' });
    expect(await world.requests()).toEqual([]);

    await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: ACCESS_TOKEN_SECRET } });
    for (const name of names) await world.ready('Sim', name);
    const refused = (await world.requests()).filter(({ status }) => status === 401);
    expect(refused).toEqual([]);
    await world.stop();
  });

  it('whose token is refused later leaves what is Ready as it is', async () => {
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID }] } });
    await world.apply(sim('truck-17', undefined));
    const before = await world.ready('Sim', 'truck-17');
    await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'not-the-secret' } });
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'CredentialsRejected' });
    const { status } = await world.get('Sim', 'truck-17');
    expect(status?.conditions).toEqual(before.status?.conditions);
    await world.stop();
  });

  it('tells in one event when it works and in one when it does not', async () => {
    const world = await createWorld();
    await world.ready('CloudAccount', 'default');
    await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'not-the-secret' } });
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'CredentialsRejected' });
    await eventually(async () => {
      const events = await world.events('default');
      expect(events.map(({ reason, count }) => [reason, count])).toEqual([
        ['Verified', 1],
        ['CredentialsRejected', 1],
      ]);
    });
    await world.stop();
  });

  it('speaks Digest with one round trip a request once it has a nonce', async () => {
    const world = await createWorld({ authentication: 'Digest' });
    await world.apply(sim('truck-17', undefined, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } }));
    await world.ready('Sim', 'truck-17');
    await world.settle();
    const refused = (await world.requests()).filter(({ status }) => status === 401);
    expect(refused.length).toBeLessThanOrEqual(2);
    await world.stop();
  });

  it('that all namespaces may use serves a Sim in another', async () => {
    const [home, away] = await Promise.all([
      createWorld({ seed: { sims: [{ iccid: ICCID }] } }),
      createWorld({ account: false }),
    ]);
    const spec = { secretNamespace: home.namespace, credentialsSecretRef: { name: 'service-credentials' } };
    const cluster = { kind: 'ClusterCloudAccount', metadata: { name: home.namespace } };
    await home.apply({ ...account(home, '', '', spec), ...cluster });
    await away.apply(sim('truck-17', undefined, { accountRef: { kind: 'ClusterCloudAccount', name: home.namespace } }));
    const { status } = await away.ready('Sim', 'truck-17');
    expect(status).toMatchObject({ accountRef: { kind: 'ClusterCloudAccount', name: home.namespace } });
    await away.stop();
    await home.stop();
  });
});
