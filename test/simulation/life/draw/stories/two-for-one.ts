import type { JsonObject } from '../../json.ts';
import type { Role } from '../cast.ts';
import { put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { passCodeKey } from '../setting.ts';
import { iccids } from '../vocabulary.ts';
import { appear, role } from './parts.ts';
import { oldSim } from './parts-sims.ts';
import { DOMAIN, oneAccount, renewal, SITE_ID, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

interface Pair {
  readonly first: Role;
  readonly second: Role;
  /** What each wants: they cannot both have it. */
  readonly wishes: readonly [JsonObject, JsonObject];
}

const iccid = iccids[0] ?? '';
const gatewayID = seededID('east', gatewayPlace(0));
const pass = { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } };
const gateway = { resourceID: gatewayID, zone: 'is1a' };
const other = { secretRef: { name: 'tls-other' } };

const pairs: readonly Pair[] = [
  {
    first: role('webaccelsites', 'site-1', { domain: DOMAIN }),
    second: role('webaccelsites', 'site-2', { siteID: SITE_ID }),
    wishes: [
      { displayName: 'Front', defaultCacheTTL: 60 },
      { displayName: 'Shop', defaultCacheTTL: 3600 },
    ],
  },
  {
    first: role('sitecertificates', 'certificate-1', { siteID: SITE_ID, secretRef: { name: 'tls-a' } }),
    second: role('sitecertificates', 'certificate-2', { siteID: SITE_ID, ...other }),
    wishes: [{}, {}],
  },
  {
    first: role('sims', 'sim-1', pass),
    second: role('sims', 'sim-2', pass),
    wishes: [{ activated: true }, { activated: false }],
  },
  {
    first: role('mobilegateways', 'gateway-1', gateway),
    second: role('mobilegateways', 'gateway-2', gateway),
    wishes: [{ internetConnection: true }, { internetConnection: false }],
  },
];

/** A second resource comes for what another one has, and has to wait until that one goes. */
export const twoForOne: Story = {
  name: 'two for one',
  wishes: () => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 180_000 },
    east: {
      sites: siteSeed({}, 'a-1'),
      sims: [oldSim(0, { name: 'old' })],
      gateways: [{ id: gatewayID, createdAt: OLD, name: 'old-gateway', zone: 'is1a', instanceStatus: 'up' }],
    },
  }),
  cast(_, random) {
    const { first, second } = random.pick(pairs);
    return random.chance(0.5) ? [first, second] : [second, first];
  },
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    const pair = pairs.find(({ first }) => cast.includes(first));
    put(draft, renewal('a-2'));
    put(draft, renewal('a-and-b-1', false, 'tls-other'));
    for (const [index, one] of cast.entries()) {
      appear(draft, one, pair?.wishes[index] ?? {}, index * 40_000 + random.int(5000));
    }
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 90_000);
  },
  encore: ({ cast }) =>
    cast.slice(0, 1).map(({ ref }) => ({
      act: { what: 'delete', ref },
      within: 60_000,
      why: 'who waited for it has it as soon as the one before is gone',
    })),
};
