import type { Incarnation } from '../intent.ts';
import { at } from '../json.ts';
import type { Scene } from '../scene.ts';
import { accountOf, isExtended, wanted } from './diagnosis.ts';

/** Why a gateway that does not run should: who made it starts it once, and who stops it later takes its SIMs offline. */
export function standstill(scene: Scene, incarnation: Incarnation, id: string): string | undefined {
  const past = scene.atService.pastOf('gateways', id, 0);
  const wasUp = past.some(({ instanceStatus }) => instanceStatus === 'up');
  const isMade =
    isExtended(accountOf(scene, incarnation)) &&
    !incarnation.isRestored &&
    wanted(incarnation).spec['managementPolicy'] !== 'Observe' &&
    scene.atService.mayHaveCreated(incarnation.uid, id);
  if (!wasUp) return isMade ? 'it was never started' : undefined;
  return wasSeenUp(incarnation) ? 'somebody has stopped it' : undefined;
}

/** The status shows that it runs, so the operator saw it. */
function wasSeenUp({ object }: Incarnation): boolean {
  return at(object, 'status', 'booted') === true || at(object, 'status', 'wasUp') === true;
}
