import type { Encore } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { passCodeKey, passCodeOf } from '../setting.ts';
import { CANARY, iccids } from '../vocabulary.ts';
import { appear, creation, role } from './parts.ts';
import { DOMAIN, newValue, oneAccount, renewal, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const iccid = iccids[0] ?? '';
const key = passCodeKey(iccid);
const sim = role('sims', 'sim-1', { iccid, passCodeSecretRef: { name: 'secrets', key } });
const site = role('webaccelsites', 'site-1', { domain: DOMAIN });
const certificate = role('sitecertificates', 'certificate-1', {
  siteRef: { name: 'site-1' },
  secretRef: { name: 'tls-a' },
});
/** Before anything would be tried again by itself. */
const MOMENT = 40_000;

/** While the service still looks at the wrong pass code, the right one is put there: what it refuses then is the one before. */
function putRightMeanwhile(draft: Draft): void {
  const { random } = draft;
  const route = 'POST /commonserviceitem';
  const milliseconds = 6000 + random.int(6000);
  put(draft, { what: 'fault', to: 'service', route, fault: 'slow', count: 1, skip: 0, milliseconds, lasts: 60_000 });
  const on = { moment: random.pick(['written', 'arrived'] as const), to: 'service' as const, route, nth: 1 };
  const act = newValue('secrets', key, passCodeOf(iccid));
  put(draft, { what: 'upon', process: 0, on, later: random.int(1500), act });
}

/** What was wrong, or missing, is put right much later: all goes on at once. */
export const putRight: Story = {
  name: 'put right',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 120_000 },
    east: { sims: [], gateways: [], sites: siteSeed({}, 'a-1') },
  }),
  cast: () => [sim, site, certificate],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    put(draft, newValue('secrets', key, `${CANARY}-wrong`));
    put(draft, renewal('a-self-signed'));
    appear(draft, sim, {}, random.int(2000));
    appear(draft, certificate, {}, random.int(2000));
    if (random.chance(0.5)) appear(draft, site, {}, random.int(2000));
    if (random.chance(0.5)) putRightMeanwhile(draft);
  },
  encore(draft, random): Encore[] {
    const why = 'what waited for a person goes on at once when it was put right';
    const isThere = draft.present.has(site);
    const acts = [
      ...(isThere ? [] : [creation(draft, site, {})]),
      newValue('secrets', key, passCodeOf(iccid)),
      renewal('a-3'),
    ];
    if (random.chance(0.5)) acts.reverse();
    return acts.map((act) => ({ act, within: MOMENT, why }));
  },
};
