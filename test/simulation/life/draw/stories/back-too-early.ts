import { put } from '../draft.ts';
import { annotateAt, appear, role } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const ABANDON = 'edgeline.dev/abandon';
const iccid = iccidOf(0);
const elsewhere = { accountRef: { kind: 'CloudAccount', name: 'second' } };
const former = role('sims', 'former', { iccid, activated: true });
const owner = role('sims', 'owner', { iccid, activated: false, ...elsewhere });

/**
 * One resource has a SIM and is abandoned, which its status can't be told, and another one takes it, through another account
 * that shows the same. Then the former one is to have it again, and the operator starts anew, with both on record: the account
 * of the one that has it takes longer than that of the other.
 */
export const backTooEarly: Story = {
  name: 'back too early',
  wishes: () => ({
    ...eastWith({ sims: [oldSim(0)] }, 220 * SECOND),
    hasClusterAccount: false,
    second: 'east-2',
    dialect: 'Extended',
  }),
  cast: () => [former, owner],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const moments = [0, 40, 60, 100].map((at) => (at + random.int(at / 4 + 1)) * SECOND);
    const [first = 0, abandoned = 0, takes = 0, anew = 0] = moments;
    appear(draft, former, {}, first);
    const fault = { what: 'fault', to: 'kubernetes', skip: 0, count: 1e6 } as const;
    const unwritten = { ...fault, route: 'patch sims/status', id: 'former', fault: 'lost-request' } as const;
    put(draft, { ...unwritten, milliseconds: 0, lasts: anew - abandoned }, abandoned - 10);
    annotateAt(draft, former, ABANDON, 'true', abandoned);
    appear(draft, owner, {}, takes);
    put(draft, { what: 'kill', process: 0, on: undefined, restart: 2000 }, anew);
    annotateAt(draft, former, ABANDON, null, anew + random.int(1500));
    const milliseconds = 4000 + random.int(8000);
    const slow = { ...fault, route: 'get secrets', id: 'second-credentials', fault: 'slow', milliseconds } as const;
    put(draft, { ...slow, lasts: 60 * SECOND }, anew + 1);
    expectReady(draft, owner, 'the one that had it before gave it up', anew + 80 * SECOND);
  },
  encore: () => [],
};
