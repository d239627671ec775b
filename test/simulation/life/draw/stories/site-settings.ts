import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { JsonObject } from '../../json.ts';
import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { bucketSecret } from '../setting.ts';
import { amend, appear, HOME, role } from './parts.ts';
import { DOMAIN, oneAccount, siteSeed } from './parts-sites.ts';
import type { Story } from './story.ts';

const site = role('webaccelsites', 'site-1', { domain: DOMAIN });

/** What a site is written with goes member by member: parts of its origin, its type, rules in another order. */
export const siteSettings: Story = {
  name: 'site settings',
  wishes: (random) => ({
    ...oneAccount,
    setting: { replicas: 1, leaderElect: false, trouble: 240_000 },
    east: { sites: siteSeed(random.chance(0.3) ? { HostHeader: 'old.example.jp' } : {}) },
  }),
  cast: () => [site],
  arrives: true,
  tell(draft) {
    const { random } = draft;
    let spec = drawSite(random);
    draft.at = 1000;
    appear(draft, site, spec);
    // Somebody switches the site off, and mostly it stays off: then it is not Ready, whatever else is as its spec says.
    if (random.chance(0.4)) put(draft, switched('disabled'), 20_000 + random.int(60_000));
    if (random.chance(0.3)) put(draft, switched('enabled'), 120_000 + random.int(60_000));
    const times = 3 + random.int(5);
    for (let count = 0; count < times; count++) {
      draft.at += random.pick([5000, 15_000, 30_000]) + random.int(5000);
      spec = changed(spec, random);
      amend(draft, site, spec);
      if (random.chance(0.2)) {
        const bucket = bucketSecret(HOME, 2 + random.int(3));
        put(draft, {
          what: 'create',
          ref: { plural: 'secrets', namespace: HOME, name: 'bucket' },
          manifest: bucket,
          patience: 0,
        });
      }
    }
  },
  encore: () => [
    {
      act: ofAnotherType(),
      also: [
        { what: 'patch', ref: site.ref, patch: { metadata: { annotations: { 'edgeline.dev/reconcile-at': 'now' } } } },
      ],
      within: 60_000,
      why: 'an origin that somebody exchanged is put back when it is looked at',
    },
  ],
};

/** Somebody gives the site another origin, and the keys of its bucket are gone. */
function ofAnotherType(): Act {
  const settings = { OriginType: 0, Origin: 'elsewhere.example.jp' };
  return { what: 'edit', patch: { sites: { [DOMAIN]: { settings } } } };
}

function switched(status: 'enabled' | 'disabled'): Act {
  return { what: 'edit', patch: { sites: { [DOMAIN]: { status } } } };
}

function drawSite(random: Random): JsonObject {
  return { origin: drawOrigin(random), accessControl: drawRules(random) };
}

function drawOrigin(random: Random): JsonObject {
  if (random.chance(0.6)) {
    return {
      webServer: {
        host: random.pick(['origin.example.jp', 'origin-2.example.jp']),
        ...(random.chance(0.6) && { hostHeader: random.pick(['www.example.jp', 'shop.example.jp']) }),
        ...(random.chance(0.5) && { protocol: random.pick(['HTTP', 'HTTPS']) }),
      },
    };
  }
  return {
    objectStorage: {
      bucket: 'pictures',
      endpoint: 's3.example.jp',
      region: 'jp-north-1',
      credentialsSecretRef: { name: 'bucket' },
      ...(random.chance(0.7) && { documentIndex: true }),
    },
  };
}

/** The same rules: the first that fits counts, so that their order says whom they let in. */
function drawRules(random: Random): readonly string[] {
  const [one, other, last] = ['deny 192.0.2.0/24', 'allow 192.0.2.7', 'deny all'] as const;
  return random.chance(0.5) ? [one, other, last] : [other, one, last];
}

function changed(spec: JsonObject, random: Random): JsonObject {
  if (random.chance(0.3)) return { ...spec, accessControl: drawRules(random) };
  if (random.chance(0.4)) return { ...spec, origin: drawOrigin(random) };
  const { webServer, objectStorage } = Object(spec['origin']);
  // One member leaves, and all else stays.
  const leaves = random.pick(webServer ? ['hostHeader', 'protocol'] : ['documentIndex']);
  const { [leaves]: _, ...rest } = webServer ?? objectStorage;
  return { ...spec, origin: webServer ? { webServer: rest } : { objectStorage: rest } };
}
