import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { oneAccount, ownCertificate, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const UPLOAD = 'PUT webaccel/site/:id/certificate';
/**
 * A certificate goes on its site with another chain, and the process dies before it says so. Before the next one starts the chain
 * of before is in the Secret again: that this is there must not be said until somebody has looked, for no list tells.
 */
export const diedUploading: Story = {
  name: 'died uploading',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 130 * SECOND },
    east: { ...nothing, sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-1'));
    appear(draft, ownCertificate, {}, random.int(2000));
    const at = 30 * SECOND + random.int(20 * SECOND);
    const on: Occasion = { moment: random.pick(['arrived', 'answered']), to: 'service', route: UPLOAD, nth: 1 };
    const late = random.int(5);
    const kill: Act = { what: 'kill', process: 0, on: undefined, restart: 3000 };
    put(draft, { what: 'upon', process: 0, on, later: late, act: kill }, at - 10);
    put(draft, { what: 'upon', process: 0, on, later: late + 1 + random.int(2500), act: renewal('a-1') }, at - 10);
    put(draft, renewal('a-1', true), at);
  },
  encore: () => [],
};
