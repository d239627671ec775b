import type { Act } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { iccids } from '../vocabulary.ts';
import { annotateAt, appear, removeAt } from './parts.ts';
import { defaultAccount, mistyped, rotation } from './parts-accounts.ts';
import { oneNamespace, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** By then what was removed is missed. */
const MISSED = 2.5 * MINUTE;

/** All SIMs are lost at once, a person lets go of some, and something else is the matter before anybody says what is so. */
export const oneOfMany: Story = {
  name: 'one of many',
  wishes: () => oneNamespace(12 * MINUTE),
  cast: (_, random) => simRoles(3 + random.int(2)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { deletionPolicy: 'Orphan' }, 500 + random.int(1000));
    const lost = 2 * MINUTE + random.int(MINUTE);
    for (const name of iccids.slice(0, cast.length)) put(draft, { what: 'remove', kind: 'sims', name }, lost);
    const letGo = cast.slice(0, cast.length - 2);
    const at = lost + MISSED + random.int(MINUTE);
    for (const role of letGo) {
      if (random.chance(0.5)) removeAt(draft, role, at);
      else annotateAt(draft, role, 'edgeline.dev/abandon', 'true', at);
    }
    for (const trouble of [random.pick(troubles), random.pick(troubles)]) trouble(draft, at + random.int(2 * MINUTE));
  },
  encore: () => [],
};

const kill: Act = { what: 'kill', process: 0, on: undefined, restart: 5 * SECOND };

const troubles: readonly ((draft: Draft, at: number) => void)[] = [
  (draft, at) => put(draft, kill, at),
  wrongToken,
  failures,
  pause,
];

function wrongToken(draft: Draft, at: number): void {
  const account = defaultAccount(draft);
  put(draft, rotation(account, mistyped(account.opens)), at);
  put(draft, rotation(account, account.opens), at + MINUTE);
}

function failures(draft: Draft, at: number): void {
  put(
    draft,
    {
      what: 'fault',
      to: 'service',
      route: 'GET /commonserviceitem',
      fault: { service: 'internal error' },
      count: 200,
      skip: 0,
      milliseconds: 0,
      lasts: 2 * MINUTE,
    },
    at,
  );
  put(draft, kill, at + 10 * SECOND);
}

function pause(draft: Draft, at: number): void {
  for (const role of draft.cast) annotateAt(draft, role, 'edgeline.dev/paused', 'true', at);
  put(draft, kill, at + 30 * SECOND);
  for (const role of draft.cast) annotateAt(draft, role, 'edgeline.dev/paused', null, at + MINUTE);
}
