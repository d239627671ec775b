import { put } from '../draft.ts';
import { appear, removeAt, shows } from './parts.ts';
import { creation, defaultAccount } from './parts-accounts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
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
  cast: (_, random) => [...gatewayRoles(random.int(2)), ...simRoles(1 + random.int(3))],
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    put(draft, { what: 'delete', ref: defaultAccount(draft).ref }, 40_000 + random.int(30_000));
    for (const role of cast) removeAt(draft, role, 80_000 + random.int(MINUTE));
    // They wait for the account.
    for (const role of cast) appear(draft, role, {}, 4 * MINUTE + random.int(MINUTE));
  },
  encore: (draft) => [shows(creation(defaultAccount(draft)), 'what waits for an account goes on once it can be used')],
};
