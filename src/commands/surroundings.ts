import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { systemClock } from '../clock.ts';
import { createHTTPSDispatcher } from '../cloud/http/dispatcher.ts';
import { proxyOf } from '../cloud/http/proxy.ts';
import { loadKubeconfig } from '../kubernetes/config.ts';
import { createTransport } from '../kubernetes/transport.ts';
import type { Surroundings } from '../operator/options.ts';
import { randomNonce } from './nonce.ts';

/** This machine, its network, and the cluster of a kubeconfig, or that of the pod. */
export function surroundingsOfProcess(kubeconfig: string | undefined): Surroundings {
  const clock = systemClock;
  const environment = process.env;
  return {
    clock,
    random: Math.random,
    nonce: randomNonce,
    async connect() {
      const connection = await loadKubeconfig({ clock, environment, ...(kubeconfig !== undefined && { kubeconfig }) });
      return { namespace: connection.namespace, transport: () => createTransport(connection) };
    },
    dispatcher: createHTTPSDispatcher(proxyOf(environment)),
    instance: environment.POD_NAME ?? hostname(),
    identity: environment.POD_NAME ?? `${hostname()}_${randomUUID()}`,
    heapBytes: getHeapStatistics().heap_size_limit,
  };
}
