import type { Json } from '../../json.ts';
import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { OLD, seededID } from '../seed.ts';
import { addresses, imeis } from '../vocabulary.ts';
import { alter, alteration, HOME, introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What another installation says of a SIM that it is to look at. */
const toldByAnother = [
  { type: 'Ready', status: 'True', reason: 'Available' },
  { type: 'Synced', status: 'False', reason: 'Queued' },
].map((told) => ({ ...told, message: 'The other one says so.', observedGeneration: 3, lastTransitionTime: OLD }));

interface Course {
  readonly field: string;
  readonly route: string;
  readonly value: Json;
  /** What a person sets it to. */
  readonly byHand: Readonly<Record<string, string>>;
}

const [lock, otherLock] = imeis;
const [address, otherAddress] = addresses;
const courses: readonly Course[] = [
  { field: 'imeiLock', route: 'PUT /commonserviceitem/:id/sim/imeilock', value: lock, byHand: { imeiLock: otherLock } },
  { field: 'ipAddress', route: 'PUT /commonserviceitem/:id/sim/ip', value: address, byHand: { ip: otherAddress } },
];

/**
 * What was asked for gets no answer, and is not wanted any more; a person sets something else by hand; and then it arrives all the
 * same, and is what nobody wants. Another installation may have had the namespace for a moment by then. Maybe another installation has had the namespace for a moment by then.
 */
export const setMeanwhile: Story = {
  name: 'set meanwhile',
  wishes: () => eastWith({ gateways: [gatewayInUse()], sims: [oldSim(0, { gateway: gatewayInUseID })] }, 6 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const { field, route, value, byHand } = random.pick(courses);
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', resourceID: gatewayInUseID }, random.int(SECOND));
    const sim = introduce(
      draft,
      'sims',
      'sim-1',
      simSpec(0, { gatewayRef: { name: 'gateway-1' } }),
      random.int(SECOND),
    );
    const at = MINUTE;
    const late = { what: 'fault', to: 'service', route, fault: 'delayed-arrival', count: 1, skip: 0 } as const;
    const milliseconds = 100 * SECOND + random.int(60 * SECOND);
    put(draft, { ...late, milliseconds, lasts: 5 * SECOND }, at - 10);
    alter(draft, sim, { [field]: value }, at);
    // Before it is sent once more.
    const on: Occasion = { moment: 'begun', to: 'service', route, nth: 1 };
    const act = alteration(draft, sim, { [field]: undefined });
    if (act) put(draft, { what: 'upon', process: 0, on, later: 20 + random.int(150), act }, at - 5);
    const patch = { sims: { [iccidOf(0)]: byHand } };
    const isHeld = random.chance(0.5);
    put(draft, { what: 'edit', patch }, at + SECOND + random.int(isHeld ? 5000 : 20_000));
    if (!isHeld) return;
    const held = at + 70 * SECOND + random.int(5 * SECOND);
    put(draft, { what: 'hold', namespace: HOME, lasts: MINUTE }, held);
    // To that one all is as the spec says.
    const marks = { ownership: 'Adopted', pending: null, intended: null, conditions: [...toldByAnother] };
    put(draft, { what: 'record', ref: sim.ref, id: seededID('east', 1), marks }, held + 500);
    put(draft, { what: 'free', namespace: HOME }, held + SECOND + random.int(10 * SECOND));
  },
  encore: () => [],
};
