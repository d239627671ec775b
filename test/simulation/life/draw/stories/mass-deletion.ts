import { EPOCH } from '../../../../../src/shadow/world/process.ts';
import type { JsonObject } from '../../json.ts';
import { put } from '../draft.ts';
import { annotateAt, appear, removeAt } from './parts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * Somebody deletes all there is, at once or over hours, while processes end, stand still or have their clocks set; and
 * lets some of it go, or nothing.
 */
export const massDeletion: Story = {
  name: 'mass deletion',
  wishes(random) {
    const deletions: JsonObject = { maxPerHour: 1 + random.int(3), maxPercent: 100 };
    const replicas = random.chance(0.4) ? 2 : 1;
    return {
      namespaces: 1,
      isTight: false,
      brakes: { deletions, gatewayCreations: { maxPerHour: 1 + random.int(2) } },
      setting: {
        replicas,
        leaderElect: replicas === 2 || random.chance(0.4),
        trouble: random.chance(0.7) ? 10 * MINUTE : 150 * MINUTE,
      },
    };
  },
  cast: () => [...gatewayRoles(2), ...simRoles(7)],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    const { trouble, replicas } = drawn.setting;
    // What leaves its object at the service is no deletion there.
    const orphans = random.pick([0, 0, 0.4]);
    for (const role of cast) {
      const deletionPolicy = random.chance(orphans) ? 'Orphan' : 'Delete';
      appear(draft, role, { deletionPolicy }, 500 + random.int(1000));
    }
    const begin = 3 * MINUTE;
    const spread = random.pick([500, 5000, MINUTE, trouble - 6 * MINUTE]);
    for (const role of cast) if (random.chance(0.9)) removeAt(draft, role, begin + random.int(spread));
    const moments = random.int(4);
    for (let count = 0; count < moments; count++) {
      const at = begin + random.int(Math.max(4000, spread));
      const process = random.int(replicas);
      const what = random.int(4);
      if (what === 0) put(draft, { what: 'kill', process, on: undefined, restart: 500 + random.int(5000) }, at);
      if (what === 1) {
        put(draft, { what: 'suspend', process, on: undefined, milliseconds: 1000 + random.int(60_000) }, at);
      }
      if (what === 2) {
        const milliseconds = random.pick([-1, 1]) * random.pick([MINUTE, 61 * MINUTE, 48 * 60 * MINUTE]);
        put(draft, { what: 'step clock', process, milliseconds }, at);
      }
      if (what === 3) put(draft, { what: 'freeze watches', process, milliseconds: 5000 + random.int(60_000) }, at);
    }
    if (random.chance(0.5)) return;
    const until = begin + random.int(spread);
    const time = `${new Date(EPOCH + until).toISOString().slice(0, 19)}Z`;
    const [to] = random.chance(0.5) ? drawn.accounts : [random.pick(cast)];
    if (to) annotateAt(draft, to, 'edgeline.dev/release-deletions', time, until + random.int(3 * MINUTE));
  },
  encore: () => [],
};
