import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { defaultAccount, rotation } from './parts-accounts.ts';
import { gatewayRoles, nothing, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Nobody knows yet what became of a creation, and the Secret of its account gets the token of another account. */
export const exchangedUnclear: Story = {
  name: 'exchanged while unclear',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    hasOther: true,
    isEast: true,
    east: nothing,
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 9 * MINUTE,
      service: { allowDuplicateICCID: true, shownAfterCreate: 0 },
    },
  }),
  cast: (_, random) => (random.chance(0.6) ? gatewayRoles(1) : simRoles(1)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast, drawn } = draft;
    const [one] = cast;
    const account = defaultAccount(draft);
    const other = drawn.setting.credentials.find(({ name }) => name === 'west');
    if (!one || !other) return;
    const route = one.plural === 'sims' ? 'POST /commonserviceitem' : 'POST /appliance';
    const fault = random.pick(['delayed-arrival', 'stall', 'lost-answer', 'lost-request'] as const);
    const milliseconds = 5000 + random.int(30_000);
    put(draft, { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds, lasts: MINUTE });
    appear(draft, one, {}, random.int(500));
    const on = { moment: 'written', to: 'service', route, nth: 1 } as const;
    put(draft, { what: 'upon', process: 0, on, later: random.int(3000), act: rotation(account, other) });
    if (random.chance(0.8)) put(draft, { what: 'kill', process: 0, on, restart: 1000 + random.int(10_000) });
    if (random.chance(0.7)) put(draft, rotation(account, account.opens), 4 * MINUTE + random.int(MINUTE));
  },
};
