import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../../src/kubernetes/resource.ts';
import type { Operator } from '../../src/operator/start.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../support/certificates.ts';
import { eventually, kubectlOutput } from '../support/kubernetes.ts';
import { manifest } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const DEPOT = { id: '113300000101', name: 'old depot', zone: 'is1b' } as const;
const SITE = { id: '113300000301', name: 'www', domain: 'www.example.jp' } as const;
const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const CERTIFICATE = ['SiteCertificate', 'www'] as const;
const DAY = 86_400_000;
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const sim = (spec: object, name = 'truck-17', iccid = ICCID) =>
  manifest('Sim', name, { iccid, passCodeSecretRef, ...spec });

interface Told {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly kind: string; readonly name: string };
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly uid: string };
}

/** The events of the namespace that warn, as `Sim truck-17: Conflict …`. */
async function warnings(world: World): Promise<string[]> {
  const { items } = await world.client.list<Told & { apiVersion: string; kind: string }>(EVENTS, world.namespace);
  return items
    .filter(({ type }) => type === 'Warning')
    .map(({ regarding: { kind, name }, reason, note }) => `${kind} ${name}: ${reason} ${note}`);
}

/** As `kubectl replace` does; it is refused where a status is written between its read and its write. */
function replace(object: object): Promise<string> {
  return eventually(() => kubectlOutput(['replace', '-f', '-'], { input: JSON.stringify(object) }));
}

describe.concurrent('what is told of a gateway’s name', () => {
  it.each(['Documented', 'Extended'] as const)('that can’t be changed is what to do (%s)', async (dialect) => {
    const world = await createWorld({ dialect, seed: { gateways: [DEPOT] } });
    const spec = { zone: DEPOT.zone, resourceID: DEPOT.id, displayName: 'depot' };
    await world.apply(manifest('MobileGateway', 'depot', spec));
    const { message } = await world.condition('MobileGateway', 'depot', {
      type: 'Synced',
      status: 'False',
      reason: 'DisplayNameNotChangeable',
    });
    expect(message).toBe(
      `The gateway is named "old depot" at the service, and the name of a gateway can't be changed from here. Set displayName to "old depot", or rename the gateway in the control panel.`,
    );
    await world.condition('MobileGateway', 'depot', { type: 'Ready', status: 'True', reason: 'Available' });
    await world.apply(manifest('MobileGateway', 'depot', { ...spec, displayName: 'old depot' }));
    await world.ready('MobileGateway', 'depot');
    expect((await world.writes()).filter((one) => !one.includes('/power'))).toEqual([]);
    await world.stop();
  });
});

describe.concurrent('whose a resource is', () => {
  it('that made its SIM stays told as its own after kubectl replace, and it goes with it', async () => {
    const world = await createWorld();
    await world.apply(sim({}));
    const { status } = await world.ready(...SIM);
    const replaced = { ...sim({ activated: true }), metadata: { name: 'truck-17', namespace: world.namespace } };
    await replace(replaced);
    const after = await world.ready(...SIM);
    expect(after.status).toMatchObject({ id: status?.['id'], ownership: 'Created', activated: true });
    expect(after.metadata.finalizers).toEqual(['edgeline.dev/create']);
    expect((await world.events('truck-17')).map(({ reason }) => reason)).not.toContain('Adopted');
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect((await world.simulator.state()).sims).toEqual({});
    await world.stop();
  });

  it('that took its SIM over is not told as taken over once more after kubectl replace', async () => {
    const world = await createWorld({ seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old' }] } });
    await world.apply(sim({}));
    await world.ready(...SIM);
    const replaced = { ...sim({ activated: true }), metadata: { name: 'truck-17', namespace: world.namespace } };
    await replace(replaced);
    const after = await world.ready(...SIM);
    expect(after.status).toMatchObject({ ownership: 'Adopted' });
    expect(after.metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    const told = async () => (await world.events('truck-17')).filter(({ reason }) => reason === 'Adopted');
    await eventually(async () => expect(await told()).toMatchObject([{ count: 1 }]));
    await world.settle();
    expect(await told()).toMatchObject([{ count: 1 }]);
    await world.stop();
  });
});

describe.concurrent('a normal start', () => {
  it('warns of nothing', async () => {
    const world = await createWorld({ seed: { sites: [SITE] }, account: false, settings: { webAccelLimit: 100_000 } });
    const issued = await issue(await createIntermediate(await createRoot()), [SITE.domain]);
    await world.apply(sim({ activated: true, gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.17' }));
    await world.apply(manifest('WebAccelSite', 'www', { domain: SITE.domain }));
    const certificate = { siteRef: { name: 'www' }, secretRef: { name: 'www-tls' } };
    await world.apply(manifest('SiteCertificate', 'www', certificate));
    const simRoutes = [{ prefix: '192.168.17.0/24', simRef: { name: 'truck-17' } }];
    await world.apply(manifest('MobileGateway', 'depot', { zone: 'is1b', planID: 2, simRoutes }));
    await world.makeAccount();
    await world.apply(tlsSecret('www-tls', issued));
    const all = [SIM, ['MobileGateway', 'depot'], ['WebAccelSite', 'www'], CERTIFICATE] as const;
    for (const [kind, name] of all) await eventually(() => world.ready(kind, name));
    expect(await warnings(world)).toEqual([]);
    await world.stop();
  });
});

describe.concurrent('an account that is being deleted', () => {
  it('says besides who uses it that its Secret is gone', async () => {
    const world = await createWorld();
    await world.apply(sim({}));
    await world.ready(...SIM);
    await world.delete('Secret', 'service-credentials');
    await world.delete('CloudAccount', 'default');
    await eventually(async () => {
      const { message } = await world.condition('CloudAccount', 'default', {
        type: 'Ready',
        status: 'False',
        reason: 'InUse',
      });
      expect(message).toContain(`in use by 1 resource: Sim ${world.namespace}/truck-17`);
      expect(message).toContain('There is no Secret service-credentials');
    });
    await world.stop();
  });

  it('takes no new resources on, and does not wait for them', async () => {
    const world = await createWorld();
    await world.apply(sim({}));
    await world.ready(...SIM);
    await world.delete('CloudAccount', 'default');
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'False', reason: 'InUse' });
    await world.forget();
    await world.apply(sim({}, 'truck-18', '8981040000000000018'));
    const { message } = await world.condition('Sim', 'truck-18', {
      type: 'Ready',
      status: 'False',
      reason: 'AccountNotReady',
    });
    expect(message).toBe(
      'The CloudAccount default is being deleted and takes on nothing new. Create it again when it is gone, or create this resource again in another account.',
    );
    await world.settle();
    expect(await world.writes()).toEqual([]);
    // What is there goes on being looked after.
    await world.apply(sim({ activated: true }));
    await eventually(async () => expect((await world.get(...SIM)).status).toMatchObject({ activated: true }));
    await world.delete(...SIM);
    await world.gone(...SIM);
    await world.gone('CloudAccount', 'default');
    await world.condition('Sim', 'truck-18', { type: 'Ready', status: 'False', reason: 'AccountNotFound' });
    await world.stop();
  });
});

describe.concurrent('a certificate that is not renewed', () => {
  it('is told of well before it expires, and is not Ready from that moment on', async () => {
    const world = await createWorld({ seed: { sites: [SITE] }, settings: { webAccelLimit: 100_000 } });
    const notAfter = Math.ceil(Date.now() / 1000) * 1000 + 20_000;
    const issuer = await createIntermediate(await createRoot());
    const issued = await issue(issuer, [SITE.domain], { notBefore: Date.now() - 90 * DAY, notAfter });
    await world.apply(tlsSecret('www-tls', issued));
    await world.apply(manifest('SiteCertificate', 'www', { siteID: SITE.id, secretRef: { name: 'www-tls' } }));
    const ready = await world.condition(...CERTIFICATE, { type: 'Ready', status: 'True', reason: 'ExpiresSoon' });
    const until = `${new Date(notAfter).toISOString().slice(0, 19)}Z`;
    expect(ready.message).toBe(`The certificate on www.example.jp expires on ${until} and was not renewed. Renew it.`);
    const told = `SiteCertificate www: ExpiresSoon ${ready.message}`;
    await eventually(async () => expect(await warnings(world)).toContain(told));
    const expired = await world.condition(...CERTIFICATE, { type: 'Ready', status: 'False', reason: 'Expired' });
    expect(Date.parse(expired.lastTransitionTime)).toBeGreaterThanOrEqual(notAfter);
    expect(expired.message).toContain(`The certificate on www.example.jp expired on ${until}.`);
    await world.apply(tlsSecret('www-tls', await issue(issuer, [SITE.domain])));
    await world.condition(...CERTIFICATE, { type: 'Ready', status: 'True', reason: 'Available' });
    await world.stop();
  });
});
