import { conditionOf } from '../intent.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long the service may show late what was made, as the operator promises. Milliseconds. */
const SHOWN_LATE = 180_000;
const lists = { sims: 'GET /commonserviceitem', gateways: 'GET /appliance' } as const;

/** At most one object at the service per resource: nothing is created while what was created for it before is there. */
export const createdOnce: AlwaysInvariant = {
  name: 'created once',
  watch(scene, say) {
    /** What the operator created, and for which resources it may have been. */
    const created: { readonly id: string; readonly kind: 'sims' | 'gateways'; readonly label: string }[] = [];
    /** How often a creation asked for more than one object: the network doubled it. */
    const doubled = new Map<string, number>();
    /** When a list last showed all there is, by account and route. */
    const shown = new Map<string, number>();

    /** No list told of it in all the time in which it had to be looked for. */
    function isHidden(kind: 'sims' | 'gateways', id: string): boolean {
      const made = scene.atService.madeAt(id) ?? 0;
      const last = shown.get(`${scene.atService.accountOf(id)} ${lists[kind]}`) ?? 0;
      return last < made && made < scene.world.now() - SHOWN_LATE;
    }

    return {
      arrived({ account, route, outcome, fault }) {
        if (outcome === 200 && fault === undefined) shown.set(`${account} ${route}`, scene.world.now());
      },
      changed(change) {
        if (!isByOperator(change)) return;
        for (const { kind, id, before, after } of change.objects) {
          if (before || !after || (kind !== 'sims' && kind !== 'gateways')) continue;
          const label = 'iccid' in after ? `the SIM ${after.iccid}` : `a gateway ${after.name} in ${after.zone}`;
          const isSame = (other: (typeof created)[number]) => other.label === label;
          if (scene.cause?.isSecond) doubled.set(label, (doubled.get(label) ?? 0) + 1);
          const askers = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
          // Whoever has one of them, or was told that it can't be decided whose it is, need not answer for the others.
          const own = created.filter(
            (other) =>
              scene.atService.now(other.kind, other.id) !== undefined &&
              !isHidden(other.kind, other.id) &&
              askers.length > 0 &&
              askers.every(({ ids }) => ids.at(-1) === other.id),
          );
          const others = created
            .filter(isSame)
            .filter(
              (other) =>
                scene.atService.now(other.kind, other.id) !== undefined &&
                !isHidden(other.kind, other.id) &&
                !scene.intent.all.some(({ ids }) => ids.includes(other.id)) &&
                askers.some(({ uid, ids }) => scene.atService.mayHaveCreated(uid, other.id) && ids.length === 0),
            );
          const mayBe =
            Math.max(
              1,
              askers.filter(
                (asker) =>
                  asker.goneAt === undefined && conditionOf(asker.object, 'Ready')?.reason !== 'CreationAmbiguous',
              ).length,
            ) + (doubled.get(label) ?? 0);
          created.push({ id, kind, label });
          if (scene.cause?.isSecond || (own.length === 0 && others.length + 1 <= mayBe)) continue;
          say(
            `${change.from} creates ${label} (${id}) for ${askers.map(nameOf).join(' or ')}, whose ${[...own, ...others].map((other) => other.id).join(', ')} is there already`,
          );
        }
      },
    };
  },
};
