import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudAccountResource } from '../../src/kinds/cloud-account/schema.ts';
import type { Operator } from '../../src/operator/start.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

describe('a tenant who may patch the status of CloudAccounts, as edgeline-edit has it', () => {
  let operator: Operator;
  let world: World;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}` });
    world = await createWorld({ prefix: 'tenant' });
  });
  afterAll(async () => {
    await operator.stop();
    await world.stop();
  });

  /** The samples of that metric, as `{labels} value`. */
  async function samples(metric: string): Promise<string[]> {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return text.split('\n').flatMap((line) => (line.startsWith(`${metric}{`) ? [line.slice(metric.length)] : []));
  }

  it('makes no series of its own, and nothing seem older than it can be', async () => {
    await world.ready('CloudAccount', 'default');
    const { apiVersion, kind, spec } = await world.get('CloudAccount', 'default');
    const credentialsSecretRef = { name: 'no-such-secret' };
    await world.apply({ apiVersion, kind, metadata: { name: 'hostile' }, spec: { ...spec, credentialsSecretRef } });
    const { metadata, status } = await eventually(async () => {
      const account = await world.get('CloudAccount', 'hostile');
      expect(account.status?.conditions).toHaveLength(2);
      return account;
    });
    const lastTransitionTime = '0001-01-01T00:00:00Z';
    const conditions = [
      ...(status?.conditions ?? []).map((condition) => ({ ...condition, lastTransitionTime })),
      { type: 'Mine', status: 'True', reason: 'SecretNotFound', message: '', lastTransitionTime },
      { type: 'Stalled', status: 'True', reason: 'Mine\n"', message: '', lastTransitionTime },
    ];
    const { namespace } = world;
    await world.client.mergePatch(
      cloudAccountResource,
      namespace,
      'hostile',
      { status: { conditions } },
      { subresource: 'status' },
    );
    await eventually(async () => {
      const since = (await samples('edgeline_resource_condition_since_timestamp_seconds')).filter((line) =>
        line.includes('SecretNotFound'),
      );
      const at = Date.parse(metadata.creationTimestamp ?? '') / 1000;
      expect(since).toEqual([
        `{kind="CloudAccount",type="Ready",status="False",reason="SecretNotFound"} ${at}`,
        `{kind="CloudAccount",type="Reconciling",status="True",reason="SecretNotFound"} ${at}`,
      ]);
    });
    expect((await world.get('CloudAccount', 'hostile')).status?.conditions).toHaveLength(4);
    expect((await samples('edgeline_resource_condition')).filter((line) => line.includes('Mine'))).toEqual([]);
  });
});
