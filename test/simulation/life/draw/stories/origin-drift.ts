import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { JsonObject } from '../../json.ts';
import type { Act, Encore } from '../../script.ts';
import { put } from '../draft.ts';
import { originEdits, secretEdits, serverEdits, storageEdits } from '../origins.ts';
import { bucketSecret } from '../setting.ts';
import { CANARY } from '../vocabulary.ts';
import { appear, HOME, role } from './parts.ts';
import { DOMAIN, newValue, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
/** What only details show of one site comes in turn every six minutes; then it is put back. */
const IN_TURN = 8 * MINUTE;

const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/**
 * People change where a site is delivered from, member by member, and the keys and the secret that are never shown. What the
 * spec asks for is put back in its turn; what it does not mention stays, and so does what nobody can see, until its Secret
 * changes.
 */
export const originDrift: Story = {
  name: 'origin drift',
  wishes: (random) => ({
    ...oneAccount,
    dialect: random.pick(['Extended', 'Documented']),
    setting: { replicas: 1, leaderElect: false, trouble: 3 * MINUTE },
    east: { sites: siteSeed() },
  }),
  cast: () => [site],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    draft.at = 1000;
    appear(draft, site, drawSpec(random));
    const times = random.int(4);
    for (let count = 0; count < times; count++) {
      draft.at += MINUTE / 2 + random.int(MINUTE / 2);
      put(draft, edit(anyEdit(random)));
    }
  },
  encore(draft, random) {
    const isStorage = 'objectStorage' in Object(draft.present.get(site)?.spec['origin']);
    const edits = [
      ...Object.values(isStorage ? storageEdits : serverEdits),
      ...Object.values(secretEdits),
      ...Object.values(originEdits),
    ];
    const encores: Encore[] = Array.from({ length: 3 }, () => ({
      act: edit(random.pick(edits)(random)),
      within: IN_TURN,
      why: 'what somebody changed of an origin is put back when its details are read',
    }));
    return [...encores, ...renewed(isStorage, random)];
  },
};

/** What people set of what is never shown lasts until the Secret changes. */
function renewed(isStorage: boolean, random: Random): Encore[] {
  const why = 'a Secret that changed is sent, whatever people set before';
  const once: Act = newValue('secrets', 'once', `${CANARY}-once-3`);
  const bucket = bucketSecret(HOME, 2 + random.int(3));
  const keys: Act = {
    what: 'create',
    ref: { plural: 'secrets', namespace: HOME, name: 'bucket' },
    manifest: bucket,
    patience: 0,
  };
  return [{ act: isStorage ? keys : once, within: MINUTE, why }];
}

function anyEdit(random: Random): JsonObject {
  const all = [originEdits, storageEdits, serverEdits, secretEdits].flatMap((edits) => Object.values(edits));
  return JSON.parse(JSON.stringify(random.pick(all)(random)));
}

function edit(settings: Readonly<Record<string, unknown>>): Act {
  return { what: 'edit', patch: { sites: { [DOMAIN]: { settings } } } };
}

/** Some of what can be asked of an origin is asked for, and the rest left to people. */
function drawSpec(random: Random): JsonObject {
  const once = random.chance(0.6) && { oneTimeURLSecretRef: { name: 'secrets', key: 'once' } };
  if (random.chance(0.4)) {
    const webServer = {
      host: 'origin.example.jp',
      ...(random.chance(0.5) && { hostHeader: 'www.example.jp' }),
      ...(random.chance(0.5) && { protocol: random.pick(['HTTP', 'HTTPS']) }),
    };
    return { origin: { webServer }, ...once };
  }
  const objectStorage = {
    bucket: 'pictures',
    endpoint: 's3.example.jp',
    region: 'jp-north-1',
    credentialsSecretRef: { name: 'bucket' },
    ...(random.chance(0.5) && { documentIndex: random.chance(0.5) }),
  };
  return { origin: { objectStorage }, ...once };
}
