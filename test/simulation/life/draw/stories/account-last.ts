import { put } from '../draft.ts';
import { bring, gatewayRoles, removeAt, shows, simRoles } from './scenes.ts';
import { creation, defaultAccount } from './scenes-accounts.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** An account is deleted before what uses it, and made anew in quiet times. */
export const accountLast: Story = {
  name: 'account last',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    setting: { replicas: 1, leaderElect: false, trouble: 6 * MINUTE },
  }),
  cast: (drawn, random) => [...gatewayRoles(drawn, random.int(2)), ...simRoles(drawn, 1 + random.int(3))],
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) bring(draft, role, {}, 500 + random.int(1000));
    put(draft, { what: 'delete', ref: defaultAccount(draft).ref }, 40_000 + random.int(30_000));
    for (const role of cast) removeAt(draft, role, 80_000 + random.int(MINUTE));
    // They wait for the account.
    for (const role of cast) bring(draft, role, {}, 4 * MINUTE + random.int(MINUTE));
  },
  encore: (draft) => [shows(creation(defaultAccount(draft)), 'what waits for an account goes on once it can be used')],
};
