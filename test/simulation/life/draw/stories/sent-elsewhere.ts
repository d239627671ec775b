import { certificateNamed } from '../../../certificates.ts';
import { put } from '../draft.ts';
import { annotateAt, appear, HOME, role } from './parts.ts';
import { iccidOf, nothing, oldSim } from './parts-sims.ts';
import { DOMAIN, oneAccount, ownCertificate, pairOf, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** So long a Lease lasts that nobody renews. */
const LEASE = 15 * MINUTE;
/** So long after that the namespace is taken, and looked at, also where each message takes seconds. */
const TAKEN = 14 * SECOND;
const sim = role('sims', 'sim-1', { iccid: iccidOf(0), activated: true });

/**
 * Another installation has the namespace when a certificate is renewed, and is gone before its Lease ends. What it has sent
 * arrives when the namespace was taken back. Just before, a SIM was changed: lists were read all the time, as the account is
 * still this one's, and none of them counts.
 */
export const sentElsewhere: Story = {
  name: 'sent elsewhere',
  wishes: () => ({
    ...oneAccount,
    isEast: true,
    east: { ...nothing, sims: [oldSim(0)], sites: siteSeed({}, 'a-1') },
    setting: { replicas: 1, leaderElect: false, trouble: 21 * MINUTE },
  }),
  cast: () => [ownCertificate, sim],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, renewal('a-1'));
    for (const one of draft.cast) appear(draft, one, {}, random.int(2000));
    const at = 30 * SECOND + random.int(20 * SECOND);
    put(draft, { what: 'hold', namespace: HOME, lasts: 0 }, at);
    put(draft, renewal('a-2'), at + MINUTE);
    const over = at + LEASE;
    const changed = over - random.int(8 * SECOND);
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { name: 'Crane', activated: false } } } }, changed);
    const seen = { what: 'expect', ref: sim.ref, shows: { name: 'Crane' } } as const;
    put(draft, { ...seen, why: 'the namespace was taken back, and only what is read since counts' }, over + TAKEN);
    const arrives = over + 40 * SECOND + random.int(60 * SECOND);
    put(draft, { what: 'edit', patch: { sites: { [DOMAIN]: { certificate: pairOf('a-2') } } } }, arrives);
    const looked = arrives + 4 * MINUTE;
    annotateAt(draft, ownCertificate, 'edgeline.dev/reconcile-at', '2026-01-01T00:00:00Z', looked);
    const shows = { 'previous.sha256Fingerprint': certificateNamed('a-1').fingerprint };
    const why = 'what another installation may have sent is waited for, for one upload too many costs the previous one';
    put(draft, { what: 'expect', ref: ownCertificate.ref, shows, why }, looked + 20 * SECOND);
  },
  encore: () => [],
};
