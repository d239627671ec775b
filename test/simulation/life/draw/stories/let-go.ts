import type { StatePatch } from '../../../../../src/simulator/control/patch.ts';
import type { JsonObject } from '../../json.ts';
import type { Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { iccids, imeis } from '../vocabulary.ts';
import { amend, amendment, appear, role } from './parts.ts';
import { oldSim } from './parts-sims.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const iccid = iccids[0] ?? '';
const [lock, otherLock] = imeis;
const sim = role('sims', 'sim-1', { iccid });
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/** For each: what there was, what the specs say one after the other, and what somebody makes of it then. */
interface Course {
  readonly specs: readonly JsonObject[];
  readonly edit: StatePatch;
}

const ofSite = (change: JsonObject): StatePatch => ({ sites: { [DOMAIN]: { settings: change } } });
const siteCourses: readonly Course[] = [
  // As it was found: it stays when it leaves the spec.
  { specs: [{ defaultCacheTTL: 120, vary: true }, { vary: true }, {}], edit: ofSite({ NormalizeAE: 3 }) },
  // The same beside what is written.
  {
    specs: [{ defaultCacheTTL: 120, displayName: 'Front' }, { displayName: 'Front' }],
    edit: ofSite({ NormalizeAE: 3 }),
  },
  { specs: [{ vary: true }, {}], edit: ofSite({ DefaultCacheTTL: 61 }) },
  // Written, unset, and changed by somebody else, whose it is from then on.
  { specs: [{ defaultCacheTTL: 60 }, {}], edit: ofSite({ DefaultCacheTTL: 300 }) },
  { specs: [{ displayName: 'Front' }, {}], edit: ofSite({ Name: 'Renamed' }) },
  { specs: [{ requestProtocol: 'HTTPSOnly' }, {}], edit: ofSite({ RequestProtocol: 2 }) },
];
const simCourses: readonly Course[] = [
  { specs: [{ imeiLock: lock, activated: true }, {}], edit: { sims: { [iccid]: { name: 'renamed' } } } },
  {
    specs: [{ imeiLock: lock, activated: false }, { activated: false }],
    edit: { sims: { [iccid]: { activated: true } } },
  },
  { specs: [{ imeiLock: otherLock }, {}], edit: { sims: { [iccid]: { imeiLock: lock } } } },
];

/** Fields leave the specs of what was there before; what was so all along stays, and so does what others make of it later. */
export const letGo: Story = {
  name: 'let go',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 600_000 },
    east: {
      sims: [oldSim(0, { name: 'old', imeiLock: lock })],
      gateways: [],
      sites: siteSeed({ DefaultCacheTTL: 120, VarySupport: 1 }),
    },
  }),
  cast: () => [sim, site],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    if (random.chance(0.2)) return leavesUnseen(draft);
    for (const [one, courses] of [
      [sim, simCourses],
      [site, siteCourses],
    ] as const) {
      const { specs, edit } = random.pick(courses);
      draft.at = 500 + random.int(1000);
      const isToDie = random.chance(0.3);
      for (const [index, spec] of specs.entries()) {
        if (index === 0) appear(draft, one, spec);
        else if (index === 1 && isToDie) dies(draft, one, spec);
        else amend(draft, one, spec);
        draft.at += 30_000 + random.int(20_000);
      }
      put(draft, { what: 'edit', patch: edit }, 10_000);
    }
  },
};

/** What the first spec says is written as the process dies, and has left the spec by the time the next one runs. */
function dies(draft: Draft, one: Role, spec: JsonObject): void {
  const route = one === sim ? 'PUT /commonserviceitem/:id/sim/imeilock' : 'PUT webaccel/site/:id';
  const on: Occasion = { moment: 'arrived', to: 'service', route, nth: 1 };
  const act = amendment(draft, one, spec);
  // Before it is there.
  draft.at = 400;
  put(draft, { what: 'kill', process: 0, on, restart: 5000 });
  if (act) put(draft, { what: 'upon', process: 0, on, later: 10 + draft.random.int(1000), act });
}

/**
 * Somebody undoes what the spec says, and for minutes the service does not let it be put right; then somebody does that by
 * hand, and it leaves the spec before another list: by the one before there is nothing to unset.
 */
function leavesUnseen(draft: Draft): void {
  const { random } = draft;
  const edited = (imeiLock: string | null): StatePatch => ({ sims: { [iccid]: { imeiLock } } });
  appear(draft, sim, { imeiLock: otherLock }, 500 + random.int(1000));
  draft.at = 30_000 + random.int(20_000);
  const route = 'PUT /commonserviceitem/:id/sim/imeilock';
  const fault = { to: 'service', route, fault: { service: 'locked' }, count: 1000, skip: 0, milliseconds: 0 } as const;
  put(draft, { what: 'fault', ...fault, lasts: 450_000 });
  put(draft, { what: 'edit', patch: edited(null) }, 1000);
  // By now it is tried less often than there are lists.
  draft.at += 240_000 + random.int(120_000);
  put(draft, { what: 'edit', patch: edited(otherLock) });
  amend(draft, sim, {}, 500 + random.int(5000));
}
