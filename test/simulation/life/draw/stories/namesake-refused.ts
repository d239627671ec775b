import { put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { creation, introduce } from './parts.ts';
import { emptyEast, iccidOf } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const ROUTE = 'POST /commonserviceitem';

/** While a wrong pass code is on its way to the service, its Sim is torn off and made again with the right one. */
export const namesakeRefused: Story = {
  name: 'namesake refused',
  wishes: () => emptyEast(3 * MINUTE, { stillCreatingMs: 0, allowDuplicateICCID: true }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const iccid = iccidOf(0);
    const wrong = { name: 'secrets', key: passCodeKey(iccidOf(1)) };
    const slow = { to: 'service', route: ROUTE, fault: 'slow', count: 1, skip: 0 } as const;
    put(draft, { what: 'fault', ...slow, milliseconds: 3000 + random.int(3000), lasts: MINUTE });
    const sim = introduce(draft, 'sims', 'sim-1', { iccid, passCodeSecretRef: wrong }, random.int(2000));
    const { ref } = sim;
    const again = creation(draft, {
      ...sim,
      fixed: { iccid, passCodeSecretRef: { ...wrong, key: passCodeKey(iccid) } },
    });
    const acts = [
      { what: 'patch', ref, patch: { metadata: { finalizers: null } } },
      { what: 'delete', ref },
      again,
    ] as const;
    const later = 100 + random.int(1000);
    const on = { moment: 'written', to: 'service', route: ROUTE, nth: 1 } as const;
    acts.forEach((act, index) => put(draft, { what: 'upon', process: 0, on, later: later + index, act }));
  },
  encore: () => [],
};
