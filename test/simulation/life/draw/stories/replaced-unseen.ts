import { put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { appear, introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { emptyEast, iccidOf } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What waits for a person is deleted and made again, as it should be, while no watch is there to tell of it. */
export const replacedUnseen: Story = {
  name: 'replaced unseen',
  wishes: () => emptyEast(5 * MINUTE, { stillCreatingMs: 0, allowDuplicateICCID: true }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const iccid = iccidOf(0);
    const sim = introduce(draft, 'sims', 'sim-1', { iccid }, random.int(2000));
    const at = MINUTE + random.int(MINUTE);
    const refused = { to: 'kubernetes', route: 'watch sims', fault: 'refused', count: 1e6, skip: 0 } as const;
    put(draft, { what: 'fault', ...refused, milliseconds: 0, lasts: 2 * SECOND }, at);
    put(draft, { what: 'cut watches', process: 0 }, at + 1);
    put(draft, { what: 'delete', ref: sim.ref }, at + 100);
    appear(draft, sim, { passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } }, at + 200);
    put(draft, { what: 'compact' }, at + 300);
    expectReady(draft, sim, 'it was made anew as it should be', at + MINUTE);
  },
  encore: () => [],
};
