import type { Act, Occasion } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { annotateAt, appear } from './parts.ts';
import { nothing } from './parts-sims.ts';
import { DOMAIN, oneAccount, ownCertificate, pairOf, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const UPLOAD = 'PUT webaccel/site/:id/certificate';

/**
 * A certificate goes on its site with another chain, and the process dies before it says so. Before the next one starts the chain
 * of before is in the Secret again: that this is there must not be said until somebody has looked, for no list tells. Or it puts
 * back what somebody has exchanged by hand, and the next process, which sees what that put there, must not send it once more.
 */
export const diedUploading: Story = {
  name: 'died uploading',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    setting: { replicas: 1, leaderElect: false, trouble: 330 * SECOND },
    east: { ...nothing, sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    if (random.chance(0.5)) return putBack(draft);
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

/** What the dead process sent is held for longer than it takes the next one to see that the site has another. */
function putBack(draft: Draft): void {
  const { random } = draft;
  put(draft, renewal('a-2'));
  appear(draft, ownCertificate, { allowRollback: true }, random.int(2000));
  const at = 60 * SECOND + random.int(20 * SECOND);
  const milliseconds = 20 * SECOND + random.int(100 * SECOND);
  const held = { what: 'fault', to: 'service', route: UPLOAD, fault: 'delayed-arrival', count: 1, skip: 0 } as const;
  put(draft, { ...held, milliseconds, lasts: 30 * SECOND }, at);
  const on: Occasion = { moment: 'written', to: 'service', route: UPLOAD, nth: 1 };
  put(draft, { what: 'kill', process: 0, on, restart: 300 + random.int(3000) }, at);
  const certificate = pairOf(random.pick(['a-3', 'a-4', 'a-and-b-1']));
  put(draft, { what: 'edit', patch: { sites: { [DOMAIN]: { certificate } } } }, at);
  annotateAt(draft, ownCertificate, 'edgeline.dev/reconcile-at', 'now', at + 100);
  if (random.chance(0.5)) annotateAt(draft, ownCertificate, 'edgeline.dev/reconcile-at', 'again', at + 12 * SECOND);
}
