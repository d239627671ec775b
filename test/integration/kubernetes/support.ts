import { afterAll } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';

export const CONFIG_MAPS: Resource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

export const quiet = createLogger({ level: 'silent', format: 'json' });

/** A client of the shared control plane, as administrator; closed after the test file. */
export async function connect(): Promise<KubeClient> {
  const connection = await loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} });
  const client = createKubeClient({
    transport: createTransport(connection),
    userAgent: 'edgeline-test',
    fieldManager: 'edgeline',
    clock: systemClock,
    random: Math.random,
  });
  afterAll(() => client.close());
  return client;
}
