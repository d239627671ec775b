import { textAt } from '../../json.ts';
import type { Act, MessageFault } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { annotateAt, appear, removeAt } from './parts.ts';
import { emptyEast, gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const unanswered: readonly MessageFault[] = ['lost-answer', 'stall', { service: 'cut after' }];

/**
 * A creation gets lost on its way. Either it is asked for once more, and its process dies before that is answered: what is
 * made then is the resource's own. Or nobody asks for it for long, and a person makes one: that is not the operator's. Or it
 * goes well, a person removes what was made, and its process dies while another is made in its place: that is its own, too.
 */
export const lostCreation: Story = {
  name: 'lost creation',
  wishes: () => emptyEast(40 * MINUTE, { shownAfterCreate: 0 }),
  cast: (_, random) => (random.chance(0.5) ? gatewayRoles(1) : simRoles(1)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [one] = cast;
    if (!one) return;
    const route = one.plural === 'sims' ? 'POST /commonserviceitem' : 'POST /appliance';
    const strike = (fault: MessageFault, skip: number): Act => ({
      what: 'fault',
      to: 'service',
      route,
      fault,
      count: 1,
      skip,
      milliseconds: 0,
      lasts: 30 * MINUTE,
    });
    const course = random.pick(['asked again', 'by hand', 'made anew'] as const);
    if (course !== 'made anew') put(draft, strike('lost-request', 0));
    appear(draft, one, {}, 500 + random.int(2000));
    if (course === 'by hand') {
      byHand(draft, one, route);
    } else {
      if (course === 'made anew') put(draft, removal(one), 5 * MINUTE + random.int(4 * MINUTE));
      if (random.chance(0.5)) put(draft, strike(random.pick(unanswered), 1));
      const moment = random.pick(['written', 'arrived', 'answered'] as const);
      const restart = random.pick([500, 5000, 60_000]);
      put(draft, { what: 'kill', process: 0, on: { moment, to: 'service', route, nth: 2 }, restart });
    }
    if (random.chance(0.7)) removeAt(draft, one, 34 * MINUTE + random.int(2 * MINUTE));
  },
};

/** By who knows no resource of it. */
function removal({ plural, ref, fixed }: Role): Act {
  return plural === 'sims'
    ? { what: 'remove', kind: 'sims', name: textAt(fixed, 'iccid') ?? '' }
    : { what: 'remove', kind: 'gateways', name: ref.name };
}

/** Its resource is paused, the process dies, or nobody is there, until a person has made one. */
function byHand(draft: Draft, one: Role, route: string): void {
  const { random } = draft;
  const on = { moment: 'written', to: 'service', route, nth: 1 } as const;
  const paused = (value: string | null): Act => ({
    what: 'patch',
    ref: one.ref,
    patch: { metadata: { annotations: { 'edgeline.dev/paused': value } } },
  });
  put(draft, { what: 'upon', process: 0, on, later: 40_000 + random.int(20_000), act: paused('true') });
  const made = 6 * MINUTE + random.int(9 * MINUTE);
  const seed =
    one.plural === 'sims' ? { iccid: one.fixed['iccid'] ?? '', name: 'by hand' } : { name: one.ref.name, zone: 'is1a' };
  const kind = one.plural === 'sims' ? 'sims' : 'gateways';
  put(draft, { what: 'add', account: 'east', kind, seed }, made);
  const kill = { what: 'kill', process: 0, on: undefined, restart: random.pick([1000, MINUTE]) } as const;
  put(draft, kill, made + random.pick([-MINUTE, MINUTE, 4 * MINUTE]));
  annotateAt(draft, one, 'edgeline.dev/paused', null, 22 * MINUTE + random.int(MINUTE));
}
