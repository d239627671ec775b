import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, type Issuer, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type Seen, type World } from '../../support/world.ts';
import { adopted, DEPOT, GATEWAY_ID, gateway, gatewayWorld, SIM_ID } from '../gateway/support.ts';
import { DOMAIN, settleSites, site, siteWorld } from '../site/support.ts';

vi.setConfig({ maxConcurrency: 10 });

let operator: Operator;
let issuer: Issuer;
beforeAll(async () => {
  issuer = await createIntermediate(await createRoot());
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const PATIENCE = { timeoutSeconds: 40 };
const pending = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;
const SITE = ['WebAccelSite', 'www'] as const;
const CERTIFICATE = ['SiteCertificate', 'www'] as const;

interface Plan {
  readonly hash: string;
  readonly calls: readonly { step: string; fields?: readonly { field: string; before: string; after: string }[] }[];
  readonly continues?: boolean;
}

/** The plan that waits for approval, once it is another than `before`. */
async function asked(world: World, [kind, name]: readonly [string, string], before?: Plan): Promise<Plan> {
  return eventually(async () => {
    await world.condition(kind, name, pending);
    const { status }: Seen = await world.get(kind, name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the schema says
    const plan = status?.['plan'] as Plan | undefined;
    if (!plan || plan.hash === before?.hash) throw new Error('no new plan waits');
    return plan;
  }, PATIENCE);
}

const approve = (world: World, [kind, name]: readonly [string, string], { hash }: Plan) =>
  world.annotate(kind, name, { 'edgeline.dev/approve': hash });
const stepsOf = ({ calls }: Plan) => calls.map(({ step }) => step);
const routes = async (world: World) => (await world.writes()).map((write) => write.replace(/ \{.*/, ''));

describe.concurrent('a MobileGateway with managementPolicy: Approve', () => {
  it('is created once that is approved, and then asks for the rest', async () => {
    const world = await createWorld();
    await world.apply(gateway({ managementPolicy: 'Approve', planID: 2, internetConnection: true }));
    const first = await asked(world, DEPOT);
    expect([stepsOf(first), first.continues]).toEqual([['create'], true]);
    expect(await world.writes()).toEqual([]);
    expect((await world.get(...DEPOT)).metadata.finalizers).toBeUndefined();
    await approve(world, DEPOT, first);
    const second = await asked(world, DEPOT, first);
    expect(stepsOf(second)).toEqual(['updateSettings', 'config']);
    expect(await routes(world)).toEqual(['POST /appliance']);
    await approve(world, DEPOT, second);
    await eventually(async () => world.ready(...DEPOT), PATIENCE);
    expect(await routes(world)).toEqual(['POST /appliance', 'PUT /appliance/:id', 'PUT /appliance/:id/config']);
    await world.stop();
  });

  it('asks for its deletion with all that it takes, SIMs that it releases among it', async () => {
    const world = await gatewayWorld();
    await world.apply(adopted({ managementPolicy: 'Approve', deletionPolicy: 'Delete' }));
    await world.ready(...DEPOT);
    await world.annotate(...DEPOT, { 'edgeline.dev/release-sims': 'true' });
    await world.delete(...DEPOT);
    const plan = await asked(world, DEPOT);
    expect(plan.calls).toEqual([
      { step: 'unregister', fields: [{ field: 'sims', before: SIM_ID, after: 'none' }] },
      { step: 'delete' },
    ]);
    expect(await world.writes()).toEqual([]);
    await approve(world, DEPOT, plan);
    await eventually(async () => world.gone(...DEPOT), PATIENCE);
    expect(await routes(world)).toEqual(['DELETE /appliance/:id/mobilegateway/sims/:id', 'DELETE /appliance/:id']);
    expect((await world.simulator.state()).gateways[GATEWAY_ID]).toBeUndefined();
    await world.stop();
  });
});

describe.concurrent('a WebAccelSite and its certificate', () => {
  it('ask for what they would write; a rotation that the account exempts does not', async () => {
    const world = await siteWorld();
    await world.patch('CloudAccount', 'default', {
      spec: { approval: { policy: 'Everything', exempt: ['SiteCertificate'] } },
    });
    const secretName = 'www-tls';
    await world.apply(tlsSecret(secretName, await issue(issuer, [DOMAIN])));
    await world.apply(site({ defaultCacheTTL: 60 }));
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: 'www' },
      spec: { siteRef: { name: 'www' }, secretRef: { name: secretName } },
    });
    const plan = await asked(world, SITE);
    expect(plan.calls).toEqual([
      { step: 'updateSettings', fields: [{ field: 'defaultCacheTTL', before: expect.any(String), after: '60' }] },
    ]);
    await eventually(async () => world.ready(...CERTIFICATE), PATIENCE);
    expect(await routes(world)).toEqual(['POST webaccel/site/:id/certificate']);
    await approve(world, SITE, plan);
    await eventually(async () => world.ready(...SITE), PATIENCE);
    await world.apply(tlsSecret(secretName, await issue(issuer, [DOMAIN])));
    await eventually(async () => expect(await routes(world)).toHaveLength(3), PATIENCE);
    expect((await routes(world)).at(-1)).toBe('PUT webaccel/site/:id/certificate');
    await world.stop();
  });

  it('of a certificate that is not exempt each rotation waits, and only the certificate that was approved is put there', async () => {
    const world = await siteWorld();
    await world.apply(site({}));
    const apply = async () => world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await apply();
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: 'www' },
      spec: { siteRef: { name: 'www' }, secretRef: { name: 'www-tls' }, managementPolicy: 'ApproveChanges' },
    });
    const first = await asked(world, CERTIFICATE);
    await apply();
    const second = await asked(world, CERTIFICATE, first);
    await approve(world, CERTIFICATE, first);
    await settleSites(world);
    expect(await world.writes()).toEqual([]);
    await approve(world, CERTIFICATE, second);
    await eventually(async () => world.ready(...CERTIFICATE), PATIENCE);
    expect(await routes(world)).toEqual(['POST webaccel/site/:id/certificate']);
    await world.stop();
  });
});
