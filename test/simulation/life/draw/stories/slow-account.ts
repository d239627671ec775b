import { type Draft, put } from '../draft.ts';
import { seededID } from '../seed.ts';
import { imeis } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { nothing, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** More than are worked on at a time for one account. */
const SIMS = 44;
const ROUNDS = 2;

const iccidOf = (index: number) => `89810499000000000${String(index).padStart(2, '0')}`;

/** The service takes long for each of many SIMs that are changed at once, while one of another account is changed, too. */
export const slowAccount: Story = {
  name: 'slow account',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    second: 'west',
    cloudRequestsPerSecond: 10,
    east: {
      ...nothing,
      sims: Array.from({ length: SIMS }, (_, index) =>
        oldSim(index, { id: seededID('east', 500 + index), iccid: iccidOf(index) }),
      ),
    },
    // What takes so long must not come too late for its nonce.
    setting: { service: { nonceLifetime: HOUR }, replicas: 1, leaderElect: false, trouble: 7 * MINUTE },
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const accountRef = { kind: 'CloudAccount', name: 'second' };
    const elsewhere = introduce(draft, 'sims', 'elsewhere', simSpec(0, { accountRef }), random.int(2000));
    const sims = Array.from({ length: SIMS }, (_, index) =>
      introduce(draft, 'sims', `many-${index}`, { iccid: iccidOf(index) }, random.int(2000)),
    );
    const begun = 2 * MINUTE;
    slow(draft, begun);
    for (let round = 0; round < ROUNDS; round++) {
      const at = begun + round * 2 * MINUTE;
      for (const sim of sims) alter(draft, sim, { imeiLock: imeis[round % 2] }, at + random.int(1000));
      const meanwhile = at + 5000 + random.int(3000);
      alter(draft, elsewhere, { carriers: [{ name: 'KDDI', allow: round % 2 === 0 }] }, meanwhile);
      expectReady(draft, elsewhere, 'only changes of another account are slow', meanwhile + 6 * SECOND);
    }
  },
  encore: () => [],
};

function slow(draft: Draft, begun: number): void {
  const milliseconds = 15_000 + draft.random.int(4000);
  const route = 'PUT /commonserviceitem/:id/sim/imeilock';
  const all = { what: 'fault', to: 'service', route, fault: 'slow', count: 1e6, skip: 0, milliseconds } as const;
  put(draft, { ...all, lasts: 5 * MINUTE }, begun);
}
