import { type Draft, put } from '../draft.ts';
import { appear, shows } from './parts.ts';
import { creation, defaultAccount, mistyped, rotation } from './parts-accounts.ts';
import { gatewayRoles, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * An account comes after what uses it, its Secret is wrong at first or by mistake that of another account, and in quiet
 * times its credentials are replaced.
 */
export const otherCredentials: Story = {
  name: 'other credentials',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    hasOther: true,
    setting: { replicas: 1, leaderElect: false, trouble: 7 * MINUTE },
  }),
  cast: (_, random) => [...gatewayRoles(random.int(3)), ...simRoles(1 + random.int(2))],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    random.pick([wrongAtFirst, ofAnother, ofAnother, late])(draft);
  },
  encore(draft) {
    const account = defaultAccount(draft);
    const { opens } = account;
    const world = opens.sameAs ?? opens.name;
    const { credentials } = draft.drawn.setting;
    const second = credentials.find((one) => one !== opens && (one.sameAs ?? one.name) === world) ?? opens;
    const other = credentials.find((one) => (one.sameAs ?? one.name) !== world) ?? second;
    return [
      shows(rotation(account, other), 'that an account shows nothing of what there was is told'),
      shows(rotation(account, mistyped(opens)), 'credentials that the service does not take are told of'),
      shows(rotation(account, second), 'credentials that are put right are tried at once'),
    ];
  },
};

function wrongAtFirst(draft: Draft): void {
  const account = defaultAccount(draft);
  put(draft, rotation(account, mistyped(account.opens)));
  put(draft, rotation(account, account.opens), 5000 + draft.random.int(MINUTE));
}

/** For minutes the Secret has the token of another account, which shows nothing of what there is. */
function ofAnother(draft: Draft): void {
  const account = defaultAccount(draft);
  const other = draft.drawn.setting.credentials.find(
    ({ name }) => name === (account.opens.name === 'west' ? 'east' : 'west'),
  );
  if (!other) return;
  put(draft, rotation(account, other), MINUTE + draft.random.int(MINUTE));
  put(draft, rotation(account, account.opens), 4 * MINUTE + draft.random.int(2 * MINUTE));
}

function late(draft: Draft): void {
  const account = defaultAccount(draft);
  put(draft, { what: 'delete', ref: account.ref });
  put(draft, creation(account), 5000 + draft.random.int(2 * MINUTE));
}
