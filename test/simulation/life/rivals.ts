import { HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import { Finalizer } from '../../../src/reconcile/finalizer.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { type JsonObject, textAt } from './json.ts';
import type { Ref } from './script.ts';

/** What the other installation is called, as its Leases have it. */
export const RIVAL = 'rival-system/edgeline-operator';

const DURATION_SECONDS = 900;
/** Milliseconds. */
const RENEWAL = 270_000;

/** Another installation of the operator, as far as its Leases show it. */
export interface Rivals {
  /** It gets the namespace, whoever has it, and renews its Lease for so long. Milliseconds. */
  hold(namespace: string, lasts: number): void;
  /** Somebody deletes its Lease. */
  free(namespace: string): void;
  /** It has made something for a resource, as all of its spec says, and puts this on record. */
  record(ref: Ref, path: string, status: JsonObject): void;
  /** It renews nothing any more. */
  calm(): void;
}

export function createRivals(world: Pick<World, 'apiserver' | 'at' | 'epoch' | 'note' | 'now'>): Rivals {
  const { apiserver } = world;
  let isCalm = false;

  function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object): void {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const asked = { method, path, user: RIVAL, contentType };
    const answer = apiserver.handle({ ...asked, ...(body && { body: JSON.stringify(body) }) });
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

  const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

  /** The moment is of its own clock, which nobody compares with another one. */
  function spec(): object {
    const renewTime = new Date(world.now()).toISOString().replace('Z', '000Z');
    return { holderIdentity: RIVAL, leaseDurationSeconds: DURATION_SECONDS, renewTime, leaseTransitions: 1 };
  }

  return {
    free(namespace) {
      const lease = apiserver.get('leases', namespace, HOLDER_LEASE);
      if (textAt(lease, 'spec', 'holderIdentity') === RIVAL) send('DELETE', `${leases(namespace)}/${HOLDER_LEASE}`);
    },
    hold(namespace, lasts) {
      const path = leases(namespace);
      if (apiserver.get('leases', namespace, HOLDER_LEASE)) send('DELETE', `${path}/${HOLDER_LEASE}`);
      const metadata = { name: HOLDER_LEASE, namespace };
      send('POST', path, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: spec() });
      world.at(world.now() + RENEWAL, () => renew(namespace, path, world.now() + lasts - RENEWAL));
    },
    record({ plural, namespace = '', name }, path, status) {
      const stored = apiserver.get(plural, namespace, name);
      if (!stored) return;
      const { uid, generation } = stored.metadata;
      const told = { status: 'True', reason: 'Available', message: 'The other one has made it.' };
      const at = {
        lastTransitionTime: new Date(world.epoch + world.now()).toISOString(),
        observedGeneration: generation,
      };
      const conditions = ['Ready', 'Synced'].map((type) => ({ type, ...told, ...at }));
      const record = { uid, ownership: 'Created', observedGeneration: generation, conditions };
      send('PATCH', path, { metadata: { finalizers: [Finalizer.create] } });
      send('PATCH', `${path}/status`, { status: { ...record, ...status } });
    },
    calm() {
      isCalm = true;
    },
  };
}
