import type { Encore } from '../../script.ts';
import { put } from '../draft.ts';
import { addresses } from '../vocabulary.ts';
import { alter, alteration, introduce } from './parts.ts';
import { iccidOf, introduceGateways, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** SIMs move between two gateways: their specs say so, or people do it by hand. */
export const moves: Story = {
  name: 'moves',
  wishes: () => ({ namespaces: 1, isEast: true, east: nothing, setting: { replicas: 1, trouble: 240_000 } }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    introduceGateways(draft);
    for (let index = 0; index < 3; index++) {
      const sim = introduce(
        draft,
        'sims',
        `sim-${index + 1}`,
        simSpec(index, {
          gatewayRef: { name: 'gateway-1' },
          ...(random.chance(0.7) && { ipAddress: addresses[index] ?? null }),
          ...(random.chance(0.7) && { activated: true }),
        }),
        random.int(2000),
      );
      const later = 60_000 + random.int(100_000);
      if (random.chance(0.5)) alter(draft, sim, { gatewayRef: { name: 'gateway-2' } }, later);
      else put(draft, { what: 'edit', patch: { sims: { [iccidOf(index)]: { gatewayID: 'gateway-2' } } } }, later);
    }
  },
  encore(draft, random) {
    const [sim] = [...draft.present.keys()].filter(({ plural }) => plural === 'sims');
    const there = JSON.stringify(sim && draft.present.get(sim)?.spec['gatewayRef']).includes('gateway-1');
    const [here, other] = there ? ['gateway-1', 'gateway-2'] : ['gateway-2', 'gateway-1'];
    const act = sim && random.chance(0.5) ? alteration(draft, sim, { gatewayRef: { name: other } }) : undefined;
    const gatewayID = act ? here : other;
    const back: Encore = {
      act: { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID } } } },
      within: 180_000,
      why: 'a SIM that somebody moves comes back after the next list of SIMs',
    };
    return act ? [{ act, within: 120_000, why: 'a SIM moves to its new gateway at once' }, back] : [back];
  },
};
