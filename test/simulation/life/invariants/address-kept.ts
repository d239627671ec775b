import type { SimView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation } from '../intent.ts';
import { conditionOf, isManaged } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { accountOf, commonReasons, idOf, live, nameIn, wanted } from './diagnosis.ts';

/**
 * Whether the address that a Sim wants on the gateway of this ID stays with another SIM for good. One whose Sim asks for another address there moves
 * on, and then whoever waits for it: a chain from its end, a circle once one of them gives way.
 */
export function isAddressKept(
  scene: Scene,
  incarnation: Incarnation,
  view: SimView,
  { gatewayID, all }: { readonly gatewayID: string | undefined; readonly all: readonly SimView[] },
): boolean {
  const account = accountOf(scene, incarnation);
  const gateway = nameIn(wanted(incarnation).spec, 'gatewayRef');
  const path = new Set([view.id]);
  let wants: unknown = wanted(incarnation).spec['ipAddress'];
  for (;;) {
    const holder = all.find((one) => one.ip === wants && one.gatewayID === gatewayID && one.id !== view.id);
    if (!holder || path.has(holder.id)) return false;
    path.add(holder.id);
    const [sim, ...others] = live(scene, 'sims').filter((one) => idOf(one) === holder.id);
    if (!sim || others.length > 0 || !isFree(sim)) return true;
    wants = wanted(sim).spec['ipAddress'];
    if (wants === undefined || wants === holder.ip || isContested(sim, wants)) return true;
    if (wants === view.ip && view.gatewayID === gatewayID) return false;
  }

  /** Another Sim asks for it, too, and may go first: then neither moves until a person has decided. */
  function isContested(sim: Incarnation, address: unknown): boolean {
    return live(scene, 'sims').some((other) => {
      const { spec } = wanted(other);
      const isThere = other.namespace === sim.namespace && nameIn(spec, 'gatewayRef') === gateway;
      return other !== sim && isThere && spec['ipAddress'] === address;
    });
  }

  function isFree(sim: Incarnation): boolean {
    return (
      isManaged(wanted(sim)) &&
      commonReasons(scene, sim).size === 0 &&
      conditionOf(sim.object, 'Stalled')?.status !== 'True' &&
      accountOf(scene, sim) === account &&
      sim.namespace === incarnation.namespace &&
      nameIn(wanted(sim).spec, 'gatewayRef') === gateway
    );
  }
}
