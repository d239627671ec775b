import type { SimApplied } from '../../../src/kinds/sim/schema.ts';
import type { Scene, StoredSim } from './scene.ts';

/** How a Sim stands, at the service and in Kubernetes, as far as it doesn't depend on chance. */
export interface Outcome {
  readonly atTheService: readonly (Pick<StoredSim, 'name' | 'activated' | 'imeiLock' | 'gatewayID' | 'ip'> & {
    /** Names of carriers. */
    readonly notAllowed: readonly string[];
  })[];
  /** Absent when the resource is gone. */
  readonly resource?: {
    /** Whether `status.id` names the SIM. */
    readonly isRecorded: boolean;
    readonly ownership: 'Created' | 'Adopted' | undefined;
    readonly applied: SimApplied | undefined;
    readonly pending: readonly string[] | undefined;
    readonly conditions: readonly string[];
  };
}

/** Looks at both sides. */
export async function outcomeOf(scene: Scene, subject: string): Promise<Outcome> {
  const [sim, stored] = await Promise.all([scene.sim(subject), scene.stored(subject)]);
  const atTheService = stored.map(({ name, activated, imeiLock, gatewayID, ip, carriers }) => ({
    name: name === subject ? 'its own' : name,
    activated,
    imeiLock,
    gatewayID,
    ip,
    notAllowed: carriers.filter(({ allow }) => !allow).map(({ name }) => name),
  }));
  if (!sim) return { atTheService };
  const { status } = sim;
  return {
    atTheService,
    resource: {
      isRecorded: stored.some(({ id }) => id === status?.id),
      ownership: status?.ownership,
      applied: status?.applied,
      pending: status?.pending,
      conditions: (status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`),
    },
  };
}

/** How a Sim stands that is as its spec says. */
export function ready(
  stored: Partial<Outcome['atTheService'][number]>,
  ownership: 'Created' | 'Adopted',
  applied: SimApplied | undefined,
): Outcome {
  const sim = { name: 'truck', activated: false, imeiLock: null, gatewayID: null, ip: null, notAllowed: [], ...stored };
  const conditions = ['Ready=True', 'Synced=True'];
  return { atTheService: [sim], resource: { isRecorded: true, ownership, applied, pending: undefined, conditions } };
}
