import { HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { textAt } from './json.ts';

/** What the other installation is called, as its Leases have it. */
export const RIVAL = 'rival-system/edgeline-operator';

const DURATION_SECONDS = 900;
/** Milliseconds. */
const RENEWAL = 270_000;

/** Another installation of the operator, as far as its Leases show it. */
export interface Rivals {
  /** It gets the namespace, whoever has it, and renews its Lease for so long. Milliseconds. */
  hold(namespace: string, lasts: number): void;
  /** It renews nothing any more. */
  calm(): void;
}

export function createRivals(world: Pick<World, 'apiserver' | 'at' | 'note' | 'now'>): Rivals {
  const { apiserver } = world;
  let isCalm = false;

  function send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): void {
    const answer = apiserver.handle({ method, path, user: RIVAL, ...(body && { body: JSON.stringify(body) }) });
    world.note(`${RIVAL}: ${method} ${path} → ${answer.status}`);
  }

  function renew(namespace: string, path: string, until: number): void {
    const lease = apiserver.get('leases', namespace, HOLDER_LEASE);
    if (isCalm || world.now() > until || textAt(lease, 'spec', 'holderIdentity') !== RIVAL) return;
    const { metadata } = lease ?? {};
    send('PUT', `${path}/${HOLDER_LEASE}`, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata,
      spec: spec(),
    });
    world.at(world.now() + RENEWAL, () => renew(namespace, path, until));
  }

  /** The moment is of its own clock, which nobody compares with another one. */
  function spec(): object {
    const renewTime = new Date(world.now()).toISOString().replace('Z', '000Z');
    return { holderIdentity: RIVAL, leaseDurationSeconds: DURATION_SECONDS, renewTime, leaseTransitions: 1 };
  }

  return {
    hold(namespace, lasts) {
      const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
      if (apiserver.get('leases', namespace, HOLDER_LEASE)) send('DELETE', `${path}/${HOLDER_LEASE}`);
      const metadata = { name: HOLDER_LEASE, namespace };
      send('POST', path, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: spec() });
      world.at(world.now() + RENEWAL, () => renew(namespace, path, world.now() + lasts - RENEWAL));
    },
    calm() {
      isCalm = true;
    },
  };
}
