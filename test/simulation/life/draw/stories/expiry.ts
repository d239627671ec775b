import { put } from '../draft.ts';
import { amend, appear } from './parts.ts';
import { oneAccount, ownCertificate, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** What cannot take the place of one that expires. */
const late = ['a-temporary', 'a-valid-after-two-days', 'b-3'] as const;

/** More than an hour goes by, in which certificates begin to be valid, and expire. */
export const expiry: Story = {
  name: 'expiry',
  wishes: (random) => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 64 * MINUTE },
    east: { sites: siteSeed({}, random.chance(0.5) ? 'a-expires-after-a-day' : undefined) },
  }),
  cast: () => [ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-expires-after-an-hour'));
    appear(draft, ownCertificate, { allowRollback: true }, random.int(500));
    // Who only looks on lets it expire, whatever is in the Secret.
    const isWatched = random.chance(0.5);
    if (isWatched) amend(draft, ownCertificate, { allowRollback: true, managementPolicy: 'Observe' }, 5 * MINUTE);
    const shows = { 'Ready.reason': 'ExpiresSoon' };
    const why = 'it expires in less than two weeks, and was not renewed';
    put(draft, { what: 'expect', ref: ownCertificate.ref, shows, why }, (2 + random.int(6)) * MINUTE);
    const next = random.pick(isWatched ? ['a-3', 'wildcard-3'] : [...late, 'a-valid-after-half-an-hour', 'a-3']);
    const isRenewed = random.chance(0.8);
    if (isRenewed) put(draft, renewal(next), random.pick([10, 20, 29]) * MINUTE + random.int(MINUTE));
    if (isRenewed && !isWatched && !late.some((one) => one === next)) return;
    const over = { Ready: 'False' };
    put(draft, { what: 'expect', ref: ownCertificate.ref, shows: over, why: 'it has expired' }, 61 * MINUTE);
  },
  encore: () => [],
};
