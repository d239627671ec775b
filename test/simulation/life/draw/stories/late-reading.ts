import { put } from '../draft.ts';
import { alter, annotateAt, appear } from './parts.ts';
import { oneAccount, ownCertificate, ownSite, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A third of it on each of its ways, to the connection, to the service and back; a request that takes longer is given up. */
const SLOW = 27 * SECOND;

/** A site, or its certificate, is read in its turn; before the answer is there it is changed. */
export const lateReading: Story = {
  name: 'late reading',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 9 * MINUTE },
    east: { sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [ownSite, ownCertificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-2'));
    appear(draft, ownSite, { defaultCacheTTL: 10, accessControl: ['deny 192.0.2.1'] }, random.int(3000));
    appear(draft, ownCertificate, { allowRollback: true }, random.int(3000));
    const slow = { what: 'fault', to: 'service', fault: 'slow', count: 1, skip: 0, milliseconds: SLOW } as const;
    const at = MINUTE + random.int(MINUTE);
    for (const route of ['GET webaccel/site/:id', 'GET webaccel/site/:id/certificate'])
      put(draft, { ...slow, route, lasts: MINUTE }, at);
    // It is so already, which is believed, and looked at in passing.
    alter(draft, ownSite, { vary: false }, at + SECOND);
    annotateAt(draft, ownCertificate, 'edgeline.dev/reconcile-at', '2026-01-01T00:00:00Z', at + SECOND);
    const meanwhile = at + 19 * SECOND + random.int(8 * SECOND);
    alter(draft, ownSite, { defaultCacheTTL: 20 }, meanwhile);
    put(draft, renewal(random.pick(['a-3', 'a-4'])), meanwhile);
    // What gets no answer is put back as it was.
    const again = meanwhile + 2 * MINUTE;
    const lost = { ...slow, fault: random.pick(['lost-answer', 'stall'] as const), count: 3, milliseconds: 0 } as const;
    put(
      draft,
      { ...lost, route: random.pick(['PUT webaccel/site/:id', 'PUT webaccel/site/:id/acl']), lasts: MINUTE },
      again,
    );
    alter(draft, ownSite, { defaultCacheTTL: 30, accessControl: ['deny 192.0.2.3'] }, again + SECOND);
    alter(
      draft,
      ownSite,
      { defaultCacheTTL: 20, accessControl: ['deny 192.0.2.1'] },
      again + SECOND + random.pick([500, 3000, 10_000, 40_000]),
    );
  },
};
