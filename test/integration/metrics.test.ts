import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../support/certificates.ts';
import { eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld } from '../support/world.ts';
import { seededSite, siteWorld } from './site/support.ts';

const ICCID = '8981040000000000017';

describe('what /metrics tells of accounts', () => {
  let operator: Operator;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}` });
  });
  afterAll(() => operator.stop());

  /** The samples whose line begins so, as `name{labels} value`. */
  async function samples(prefix: string): Promise<string[]> {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith(prefix));
  }

  it('requests refused as too many are counted', async () => {
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID }] } });
    await world.ready('CloudAccount', 'default');
    await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429, count: 2 });
    await eventually(async () =>
      expect(await samples('edgeline_api_throttled_total')).toEqual(['edgeline_api_throttled_total{api="cloud"} 2']),
    );
    await world.stop();
  });

  it('an account whose credentials are refused has an open circuit, until its Secret is put right', async () => {
    const world = await createWorld();
    const circuit = (value: number) =>
      ['cloud', 'webaccel'].map(
        (api) => `edgeline_circuit_open{account="CloudAccount/${world.namespace}/default",api="${api}"} ${value}`,
      );
    const ours = async () => (await samples('edgeline_circuit_open')).filter((line) => line.includes(world.namespace));
    await world.ready('CloudAccount', 'default');
    expect(await ours()).toEqual(circuit(0));

    await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'wrong' } });
    await eventually(async () => expect(await ours()).toEqual(circuit(1)));

    await world.makeAccount();
    await eventually(async () => expect(await ours()).toEqual(circuit(0)));

    await world.delete('CloudAccount', 'default');
    await world.gone('CloudAccount', 'default');
    expect(await ours()).toEqual([]);
    await world.stop();
  });

  it('the lag of each of several certificates from one Secret is counted', async () => {
    const issuer = await createIntermediate(await createRoot());
    const domains = ['a.example.jp', 'b.example.jp', 'c.example.jp'];
    const sites = domains.map((domain, number) => ({
      ...seededSite,
      id: `11330000040${number}`,
      name: domain,
      domain,
    }));
    const world = await siteWorld({ seed: { sites } });
    await world.apply(tlsSecret('tls', await issue(issuer, ['*.example.jp'])));
    for (const { id: siteID, name } of sites) {
      const spec = { siteID, secretRef: { name: 'tls' } };
      await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind: 'SiteCertificate', metadata: { name }, spec });
    }
    for (const { name } of sites) await world.ready('SiteCertificate', name);
    await world.apply(tlsSecret('tls', await issue(issuer, ['*.example.jp'])));
    await eventually(async () =>
      expect(await samples('edgeline_certificate_upload_lag_seconds_count')).toEqual([
        'edgeline_certificate_upload_lag_seconds_count 3',
      ]),
    );

    // What is put right on a site is not late by what else changed of the Secret before.
    const [{ id } = seededSite, ...others] = sites;
    await world.annotate('Secret', 'tls', { 'example.com/note': 'touched' });
    await world.settle();
    await world.forget();
    const older = { notBefore: Date.now() - 7_200_000, notAfter: Date.now() + 3_600_000 };
    const { chain, key } = await issue(issuer, ['*.example.jp'], older);
    await world.simulator.patch({ sites: { [id]: { certificate: { chain, key } } } });
    await world.annotate('SiteCertificate', domains[0] ?? '', { 'edgeline.dev/reconcile-at': 'now' });
    await eventually(async () => expect((await world.writes()).length).toBe(1));
    for (const { name } of others) await world.ready('SiteCertificate', name);
    expect(await samples('edgeline_certificate_upload_lag_seconds_count')).toEqual([
      'edgeline_certificate_upload_lag_seconds_count 3',
    ]);
    await world.stop();
  });
});
