import type { JsonObject } from '../../json.ts';
import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { imeis, networks } from '../vocabulary.ts';
import { alter, annotateAt, appear, introduce, shows } from './parts.ts';
import { eastWith, iccidOf, oldSim, simRoles, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const TROUBLE = 14 * MINUTE;
const gateway = seededID('east', gatewayPlace(0));
/** Nobody has locked this one, and who looks at it knows which device it is for. */
const WATCHED = 3;
const TOGGLES = ['PUT /commonserviceitem/:id/sim/activate', 'PUT /commonserviceitem/:id/sim/deactivate'];
const [DEVICE, THIEF] = imeis;
/** As it is locked, with the version of its software in place of the check digit, and another. */
const devices = [DEVICE, `${DEVICE.slice(0, 14)}07`, `${DEVICE.slice(0, 14)}08`, THIEF];
/** In the middle of a month, and so long before the turn of one, at the service, that it comes in the middle of the life. */
const MIDDLE = Date.UTC(2026, 0, 14, 3);
const TURN = Date.UTC(2026, 0, 31, 15);

/**
 * SIMs go over their limits, which are raised, lowered and removed meanwhile; people activate what was deactivated; processes end
 * between the call and what they would have said of it; in half of the lives the month turns.
 */
export const dataLimitStory: Story = {
  name: 'data limit',
  wishes(random) {
    const wishes = eastWith(
      {
        gateways: [{ id: gateway, createdAt: OLD, name: 'old-gateway', zone: 'is1a', privateInterface: networks[0] }],
        // The first has a session, and what goes through it grows.
        sims: [
          ...[0, 1, 2].map((index) =>
            oldSim(index, index === 0 ? { gateway, ip: '10.0.0.11' } : { activated: index === 1 }),
          ),
          oldSim(WATCHED, { gateway, ip: '10.0.0.12' }),
        ],
      },
      TROUBLE,
    );
    const epoch = random.chance(0.5) ? MIDDLE : TURN - 4 * MINUTE - random.int(6 * MINUTE);
    return { ...wishes, setting: { ...wishes.setting, epoch } };
  },
  cast: () => simRoles(3),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const limit = (): JsonObject => ({
      monthly: random.pick(['1k', '200k', '1M', '5M', '1.5M', '200Ki', '2Mi', '1G', '1Gi', '1Gi']),
      action: random.chance(0.85) ? 'Deactivate' : 'Warn',
    });
    const activated = () => (random.chance(0.4) ? undefined : random.chance(0.7));
    for (const role of cast) {
      const asked = activated();
      const spec = { ...(asked !== undefined && { activated: asked }), dataLimit: limit() };
      appear(
        draft,
        role,
        random.chance(0.85) ? spec : { ...spec, managementPolicy: 'Observe' },
        500 + random.int(3000),
      );
    }
    for (const [index, role] of cast.entries()) {
      let bytes = 0;
      const isSending = random.chance(0.5);
      const through = (most: number, rest: number): JsonObject =>
        isSending ? { uplinkBytes: most, downlinkBytes: rest } : { uplinkBytes: rest, downlinkBytes: most };
      const more = (): JsonObject => {
        // The last is more than 1G, and less than 1Gi.
        bytes += random.pick([500, 300_000, 2_000_000, 1_030_000_000]);
        return { traffic: through(bytes, random.int(1000)) };
      };
      put(draft, edited(index, more()), 10_000 + random.int(2 * MINUTE));
      let at = MINUTE + random.int(MINUTE);
      while (at < TROUBLE - MINUTE) {
        const chance = random.int(11);
        if (chance < 3) alter(draft, role, { dataLimit: random.chance(0.2) ? undefined : limit() }, at);
        else if (chance < 5) alter(draft, role, { activated: activated() }, at);
        else if (chance < 6) put(draft, edited(index, { activated: true }), at);
        else if (chance < 7) {
          annotateAt(draft, role, 'edgeline.dev/paused', 'true', at);
          annotateAt(draft, role, 'edgeline.dev/paused', null, at + 10_000 + random.int(MINUTE));
        } else if (chance < 8) {
          alter(draft, role, { managementPolicy: random.chance(0.5) ? 'Observe' : undefined }, at);
        } else if (chance < 9) put(draft, edited(index, more()), at);
        else {
          // For a while it shows too little.
          put(draft, edited(index, { traffic: through(0, 0) }), at);
          put(draft, edited(index, { traffic: through(bytes, 0) }), at + 5000 + random.int(45_000));
        }
        at += 10_000 + random.int(3 * MINUTE);
      }
    }
    const watched = simSpec(WATCHED, { imeiLock: DEVICE, managementPolicy: 'Observe' });
    introduce(draft, 'sims', 'sim-watched', watched, random.int(3000));
    for (let at = random.int(MINUTE); at < TROUBLE - MINUTE; at += MINUTE + random.int(3 * MINUTE)) {
      const chance = random.int(4);
      const restart = 500 + random.int(10_000);
      const on = {
        moment: random.pick(['begun', 'written', 'arrived', 'answered'] as const),
        to: 'service' as const,
        route: random.pick(TOGGLES),
        nth: 1,
      };
      if (chance < 2) put(draft, { what: 'kill', process: 0, on, restart }, at);
      if (chance === 2) put(draft, { what: 'kill', process: 0, on: undefined, restart }, at);
      if (chance === 3) put(draft, { what: 'freeze watches', process: 0, milliseconds: 2000 + random.int(20_000) }, at);
    }
    put(draft, edited(WATCHED, { connectedIMEI: random.pick(devices) }), TROUBLE - 2 * MINUTE);
  },
  encore: (draft, random) =>
    draft.cast.map((_, index) =>
      shows(
        edited(index, { traffic: { uplinkBytes: random.pick([300_000, 2_000_000, 8_000_000]), downlinkBytes: 0 } }),
        'a SIM over its limit is deactivated with the next list',
        90_000,
      ),
    ),
};

function edited(index: number, change: JsonObject): Act {
  return { what: 'edit', patch: { sims: { [iccidOf(index)]: change } } };
}
