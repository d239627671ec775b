import { put } from '../draft.ts';
import { annotateAt, appear } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, simRoles } from './parts-sims.ts';
import { ownSite, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const PAUSED = 'edgeline.dev/paused';

/** An account is paused when all is at rest, and goes on again: what uses it says so at once, for nobody else would. */
export const pausedAtRest: Story = {
  name: 'paused at rest',
  wishes: () => ({ ...eastWith({ sites: siteSeed() }, 120 * SECOND), isTight: false, hasOther: false }),
  cast: () => [...simRoles(2), ownSite],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const one of cast) appear(draft, one, {}, random.int(2000));
    const account = defaultAccount(draft);
    const at = 60 * SECOND + random.int(10 * SECOND);
    annotateAt(draft, account, PAUSED, 'true', at);
    const again = at + 30 * SECOND + random.int(10 * SECOND);
    annotateAt(draft, account, PAUSED, null, again);
    for (const one of cast) {
      const shows = { Synced: 'False' };
      put(draft, { what: 'expect', ref: one.ref, shows, why: 'its account is paused' }, at + 10 * SECOND);
      expectReady(draft, one, 'its account is not paused any more', again + 10 * SECOND);
    }
  },
  encore: () => [],
};
