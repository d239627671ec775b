import { X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../../support/certificates.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { DOMAIN, SITE_ID, site, siteWorld } from '../site/support.ts';

let operator: Operator;
afterEach(() => operator.stop());

const available = { type: 'Synced', status: 'True', reason: 'Available' } as const;
const queued = { type: 'Synced', status: 'False', reason: 'Queued' } as const;

/** Restarts the operator with nothing left of the hour; `meanwhile` happens in between. */
async function restartUsedUp(world: World, meanwhile: () => Promise<void>): Promise<void> {
  await operator.stop();
  await meanwhile();
  await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: 2 } } });
  operator = await startTestOperator({ namespaces: [world.namespace] });
}

describe('after a restart in an hour that is used up, what was changed meanwhile waits and says so:', () => {
  it('a Secret with another one-time URL secret', async () => {
    const world = await siteWorld();
    operator = await startTestOperator({ namespaces: [world.namespace] });
    await world.apply(secret('url', { value: 'before' }));
    await world.apply(site({ oneTimeURLSecretRef: { name: 'url', key: 'value' } }));
    await world.ready('WebAccelSite', 'www');
    await world.condition('WebAccelSite', 'www', available);
    await restartUsedUp(world, () => world.apply(secret('url', { value: 'after' })));
    const { message } = await world.condition('WebAccelSite', 'www', queued);
    expect(message).toMatch(/^Waiting for its turn: /);
    await world.stop();
  });

  it('a chain under the same certificate', async () => {
    const world = await siteWorld();
    operator = await startTestOperator({ namespaces: [world.namespace] });
    const whole = await issue(await createIntermediate(await createRoot()), [DOMAIN]);
    const leaf = new X509Certificate(whole.chain).toString();
    await world.apply(tlsSecret('www-tls', { ...whole, chain: leaf }));
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: 'www' },
      spec: { siteID: SITE_ID, secretRef: { name: 'www-tls' } },
    });
    await world.ready('SiteCertificate', 'www');
    await world.condition('SiteCertificate', 'www', available);
    await restartUsedUp(world, () => world.apply(tlsSecret('www-tls', whole)));
    const { message } = await world.condition('SiteCertificate', 'www', queued);
    expect(message).toMatch(/^Waiting for its turn: /);
    await world.stop();
  });
});
