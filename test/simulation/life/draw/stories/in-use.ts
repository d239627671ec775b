import { put } from '../draft.ts';
import { manifest } from '../vocabulary.ts';
import { annotateAt, role } from './parts.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const RECONNECT = 'edgeline.dev/reconnect-at';

/** The manifest of a SIM in use comes from a backup, with a wish to reconnect that was carried out long ago. */
export const inUse: Story = {
  name: 'in use',
  wishes: () =>
    eastWith(
      {
        sims: [oldSim(0)],
      },
      120_000,
    ),
  cast: () => [role('sims', 'sim-1', simSpec(0))],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [sim] = cast;
    if (!sim) return;
    const { namespace, name } = sim.ref;
    const whole = manifest('sims', namespace, name, { ...sim.fixed, ...(random.chance(0.5) && { activated: true }) });
    const metadata = { namespace: namespace ?? '', name, annotations: { [RECONNECT]: 'long ago' } };
    put(draft, { what: 'create', ref: sim.ref, manifest: { ...whole, metadata }, patience: 0 }, 500 + random.int(1000));
    if (random.chance(0.4)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 20_000);
    if (random.chance(0.3)) annotateAt(draft, sim, RECONNECT, 'now', 60_000);
  },
};
