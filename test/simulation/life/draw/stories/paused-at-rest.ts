import { put } from '../draft.ts';
import { ref } from '../vocabulary.ts';
import { appear, HOME } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, simRoles } from './parts-sims.ts';
import { ownSite, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const PAUSED = 'edgeline.dev/paused';

/** An account, or a namespace, is paused when all is at rest, and goes on again: what uses it says so at once, for nobody else would. */
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
    const again = at + 30 * SECOND + random.int(10 * SECOND);
    const paused = random.pick([account.ref, ref('namespaces', undefined, HOME)]);
    for (const [value, when] of [
      ['true', at],
      [null, again],
    ] as const)
      put(draft, { what: 'patch', ref: paused, patch: { metadata: { annotations: { [PAUSED]: value } } } }, when);
    for (const one of cast) {
      const shows = { Synced: 'False' };
      put(draft, { what: 'expect', ref: one.ref, shows, why: 'its account or namespace is paused' }, at + 10 * SECOND);
      expectReady(draft, one, 'its account or namespace is not paused any more', again + 10 * SECOND);
    }
  },
  encore: () => [],
};
