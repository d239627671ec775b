import { afterAll, inject } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import type { Resource } from '../../../src/kubernetes/resource.ts';
import { createLogger } from '../../../src/telemetry/log.ts';

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
  const connection = await loadKubeconfig({ kubeconfig: inject('kubeconfig'), clock: systemClock });
  const client = createKubeClient({ connection, userAgent: 'edgeline-test', fieldManager: 'edgeline' });
  afterAll(() => client.close());
  return client;
}
