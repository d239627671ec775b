import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { introduce } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

const CREATE = 'POST /appliance';

/** Two gateways have one name. The first has been found, and then the creation of the second is interrupted. */
export const namesakes: Story = {
  name: 'namesakes',
  wishes: () => emptyEast(240_000),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { zone: 'is1a', planID: 2, displayName: 'depot' };
    introduce(draft, 'mobilegateways', 'gateway-1', spec);
    const later = 60_000 + random.int(60_000);
    const moment = random.pick(['written', 'arrived'] as const);
    const interruptions: readonly Act[] = [
      {
        what: 'fault',
        to: 'service',
        route: CREATE,
        fault: random.pick(['lost-answer', 'stall', { service: 'cut before' }, { service: 'cut after' }]),
        count: 1,
        skip: 0,
        milliseconds: 0,
        lasts: 60_000,
      },
      { what: 'kill', process: 0, on: { moment, to: 'service', route: CREATE, nth: 1 }, restart: 500 },
    ];
    put(draft, random.pick(interruptions), later - 1000);
    introduce(draft, 'mobilegateways', 'gateway-2', spec, later);
  },
};
