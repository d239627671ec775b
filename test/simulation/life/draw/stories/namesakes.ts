import type { Act, Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { ref } from '../vocabulary.ts';
import { annotateAt, appear, introduce, removeAt } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

/** The first that the service makes. */
const MADE = '113300000001';
const CREATE = 'POST /appliance';

/**
 * Two gateways have one name. The first has been found, and then the creation of the second is interrupted. Or somebody of another
 * namespace has a copy of what is on record of the first creation: what was made then is not theirs.
 */
export const namesakes: Story = {
  name: 'namesakes',
  wishes: (random) => ({
    ...emptyEast(240_000),
    ...(random.chance(0.4) && { namespaces: 2, hasClusterAccount: true }),
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, drawn } = draft;
    const [, neighbours] = drawn.namespaces;
    if (neighbours !== undefined) return copied(draft, neighbours);
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

function copied(draft: Draft, neighbours: string): void {
  const { random } = draft;
  const spec = { zone: 'is1a', planID: 2, displayName: 'depot' };
  const plural = 'mobilegateways';
  // In a pause nobody writes over the copy.
  annotateAt(draft, { ref: ref('namespaces', undefined, neighbours) }, 'edgeline.dev/paused', 'true', 0);
  const copier: Role = { ref: ref(plural, neighbours, 'copier'), plural, fixed: spec, world: 'east' };
  appear(draft, copier, {}, 10);
  const first = introduce(draft, plural, 'gateway-1', { ...spec, deletionPolicy: 'Orphan' }, 5000 + random.int(2000));
  const on: Occasion = { moment: 'arrived', to: 'service', route: CREATE, nth: 1 };
  const copy = { what: 'copy', from: first.ref, ref: copier.ref, member: 'creation' } as const;
  put(draft, { what: 'upon', process: 0, on, later: 0, act: copy });
  const left = 60_000 + random.int(20_000);
  removeAt(draft, first, left);
  const next = introduce(draft, plural, 'next', { zone: 'is1a', resourceID: MADE }, left + 10_000);
  const shows = { id: MADE, Ready: 'True' };
  const why = 'who has a copy of what is on record of a creation has not made the gateway';
  put(draft, { what: 'expect', ref: next.ref, shows, why }, left + 90_000);
}
