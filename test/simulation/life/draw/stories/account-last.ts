import { type Draft, put } from '../draft.ts';
import { ref } from '../vocabulary.ts';
import { appear, HOME, introduce, removeAt, shows } from './parts.ts';
import { creation, defaultAccount } from './parts-accounts.ts';
import { gatewayRoles, iccidOf, oneNamespace, simRoles, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** When the account is deleted, at the earliest. */
const DELETED = 40_000;

/** An account is deleted before what uses it, and made anew in quiet times; or all of its namespace is deleted at once. */
export const accountLast: Story = {
  name: 'account last',
  wishes: () => oneNamespace(6 * MINUTE),
  cast: (_, random) => [...gatewayRoles(random.int(2)), ...simRoles(1 + random.int(3))],
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    if (random.chance(0.35)) return deleteNamespace(draft);
    put(draft, { what: 'delete', ref: defaultAccount(draft).ref }, DELETED + random.int(30_000));
    for (const role of cast) removeAt(draft, role, 80_000 + random.int(MINUTE));
    if (random.chance(0.6)) comeTooLate(draft);
    // They wait for the account.
    for (const role of cast) appear(draft, role, {}, 4 * MINUTE + random.int(MINUTE));
  },
  encore: (draft) => [shows(creation(defaultAccount(draft)), 'what waits for an account goes on once it can be used')],
};

/** Kubernetes deletes what is in it, its Secrets and its Lease among it, and makes nothing new there. */
function deleteNamespace(draft: Draft): void {
  const { random, present } = draft;
  present.clear();
  put(
    draft,
    { what: 'delete', ref: ref('namespaces', undefined, HOME) },
    random.pick([2000, DELETED]) + random.int(30_000),
  );
}

/** One that was there before keeps the account for longer, and another one comes meanwhile. */
function comeTooLate(draft: Draft): void {
  const { random } = draft;
  introduce(draft, 'sims', 'sim-before', simSpec(6), 500);
  put(draft, { what: 'delete', ref: ref('sims', HOME, 'sim-before') }, 4 * MINUTE);
  const after = DELETED + 100_000 + random.int(MINUTE);
  // What is there already would be taken over.
  const seed = { iccid: iccidOf(7), name: 'by hand' };
  if (random.chance(0.5)) put(draft, { what: 'add', account: 'east', kind: 'sims', seed }, after - 10_000);
  introduce(draft, 'sims', 'sim-after', simSpec(7), after);
}
