import type { Random } from '../../../../src/shadow/world/random.ts';
import type { Script, Step } from '../script.ts';
import type { Flags, Setting } from '../setting.ts';
import { OLD, seededID } from './seed.ts';
import { credentialsData, credentialsNamed } from './setting.ts';
import { CANARY, manifest, ref, secret } from './vocabulary.ts';

/** A namespace that nobody looks after, and what is in it. */
export const UNWATCHED = 'quarry';
/** Where no credentials may go. */
export const FORBIDDEN_HOST = 'service.example.net';
/** The token of an account that names that host. */
export const FORBIDDEN_TOKEN = `${CANARY}-token-of-elsewhere`;
/** The account, and the Sim that goes by it. */
export const ELSEWHERE = 'off-limits';
/** SIMs that no story knows of. */
const QUARRY_ICCID = '8981040000000000098';
const ELSEWHERE_ICCID = '8981040000000000099';

type Drawn = Omit<Script, 'seed'>;

/**
 * How the operator is started. Of numbers of its own, so that all else is drawn as without. `isFree`: nothing in the life counts on
 * what it would not do.
 */
export function drawFlags(drawn: Drawn, random: Random, isFree: boolean): Drawn {
  const text = JSON.stringify([drawn.setting.objects, drawn.steps, drawn.encore]);
  let drawnSoFar: Drawn = drawn;
  if (random.chance(0.1)) drawnSoFar = withFlags(drawnSoFar, { simRates: true });
  if (random.chance(0.1)) drawnSoFar = withFlags(drawnSoFar, { statusPage: true });
  // Without the permission to see namespaces there are no ClusterCloudAccounts, and nobody pauses a namespace, or ends it.
  const isOfNamespaces = !/"plural":"(clustercloudaccounts|namespaces)","(?!namespace":"accounts)/.test(
    JSON.stringify([drawn.steps, drawn.encore]),
  );
  const hasCluster = drawn.setting.objects.some(({ ref }) => ref.plural === 'clustercloudaccounts');
  if (random.chance(0.25) && isOfNamespaces && !hasCluster) drawnSoFar = withoutOne(drawnSoFar, text, random);
  if (random.chance(0.1)) drawnSoFar = withSecrets(drawnSoFar, text, random, isFree);
  if (random.chance(0.15)) drawnSoFar = withHosts(drawnSoFar, random);
  return drawnSoFar;
}

function withFlags(drawn: Drawn, flags: Flags, more: Partial<Setting> = {}, steps: readonly Step[] = []): Drawn {
  const { setting } = drawn;
  return {
    ...drawn,
    setting: { ...setting, ...more, flags: { ...setting.flags, ...flags } },
    steps: [...drawn.steps, ...steps].toSorted((one, other) => one.at - other.at),
  };
}

/** All namespaces but one are looked after, in which people make the same as elsewhere, change it and delete it. */
function withoutOne(drawn: Drawn, text: string, random: Random): Drawn {
  const { setting } = drawn;
  const named = [...text.matchAll(/"namespace":"([^"]+)"/g)].flatMap(([, name]) => name ?? []);
  const credentials = credentialsNamed(UNWATCHED);
  const sim = ref('sims', UNWATCHED, 'sim-1');
  const site = ref('webaccelsites', UNWATCHED, 'site-1');
  const domain = 'quarry.example.jp';
  const objects: Setting['objects'] = [
    {
      ref: ref('namespaces', undefined, UNWATCHED),
      manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: UNWATCHED } },
    },
    {
      ref: ref('secrets', UNWATCHED, 'service-credentials'),
      manifest: secret(UNWATCHED, 'service-credentials', credentialsData(credentials)),
    },
    {
      ref: ref('cloudaccounts', UNWATCHED, 'default'),
      manifest: manifest('cloudaccounts', UNWATCHED, 'default', {
        baseURL: 'https://api.example.jp',
        credentialsSecretRef: { name: 'service-credentials' },
      }),
    },
    { ref: sim, manifest: manifest('sims', UNWATCHED, 'sim-1', { iccid: QUARRY_ICCID, activated: true }) },
    { ref: site, manifest: manifest('webaccelsites', UNWATCHED, 'site-1', { domain, displayName: 'Quarry' }) },
  ];
  const { trouble } = setting;
  const moment = () => Math.round(random.next() * trouble);
  const steps: Step[] = [
    { at: moment(), what: 'patch', ref: sim, patch: { spec: { activated: false } } },
    {
      at: moment(),
      what: 'patch',
      ref: sim,
      patch: { metadata: { annotations: { 'edgeline.dev/reconcile-at': 'now' } } },
    },
    { at: moment(), what: 'patch', ref: site, patch: { spec: { defaultCacheTTL: 60 } } },
    { at: moment(), what: 'delete', ref: random.pick([sim, site]) },
  ];
  const seed = {
    sims: [{ id: seededID(UNWATCHED, 1), createdAt: OLD, iccid: QUARRY_ICCID, name: 'old', activated: false }],
    gateways: [],
    sites: [{ id: seededID(UNWATCHED, 201), createdAt: OLD, name: 'Old', domain }],
    servers: [],
  };
  return withFlags(
    drawn,
    { namespaces: [...new Set(named)].filter((name) => name !== UNWATCHED) },
    {
      credentials: [...setting.credentials, credentials],
      seed: { ...setting.seed, [UNWATCHED]: seed },
      objects: [...setting.objects, ...objects],
    },
    steps,
  );
}

/** The operator may read those that there are, or all of them but one. */
function withSecrets(drawn: Drawn, text: string, random: Random, isFree: boolean): Drawn {
  const named = [...text.matchAll(/"plural":"secrets","namespace":"[^"]+","name":"([^"]+)"/g)].flatMap(
    ([, name]) => name ?? [],
  );
  const mentioned = [...text.matchAll(/SecretRef":\{"name":"([^"]+)"|"secretRef":\{"name":"([^"]+)"/g)].flatMap(
    ([, one, other]) => one ?? other ?? [],
  );
  const all = [
    ...new Set([
      ...named,
      ...mentioned,
      ...drawn.setting.objects.flatMap(({ ref }) => (ref.plural === 'secrets' ? [ref.name] : [])),
    ]),
  ];
  const left =
    isFree && random.chance(0.6) ? random.pick(all.filter((name) => !name.endsWith('credentials'))) : undefined;
  return withFlags(drawn, { secretNames: all.filter((name) => name !== left) });
}

/** An account names another host than the service's, and a Sim goes by it. */
function withHosts(drawn: Drawn, random: Random): Drawn {
  const { setting } = drawn;
  const namespace = setting.objects.find(({ ref }) => ref.plural === 'namespaces')?.ref.name ?? 'fleet';
  const account = ref('cloudaccounts', namespace, ELSEWHERE);
  const sim = ref('sims', namespace, ELSEWHERE);
  const credentials = `${ELSEWHERE}-credentials`;
  const objects: Setting['objects'] = [
    {
      ref: ref('secrets', namespace, credentials),
      manifest: secret(namespace, credentials, {
        accessToken: FORBIDDEN_TOKEN,
        accessTokenSecret: `${CANARY}-of-elsewhere`,
      }),
    },
    {
      ref: account,
      manifest: manifest('cloudaccounts', namespace, ELSEWHERE, {
        baseURL: `https://${random.pick([FORBIDDEN_HOST, `${FORBIDDEN_HOST}:8443`, `api.example.jp.${FORBIDDEN_HOST}`])}`,
        credentialsSecretRef: { name: credentials },
      }),
    },
    {
      ref: sim,
      manifest: manifest('sims', namespace, ELSEWHERE, {
        iccid: ELSEWHERE_ICCID,
        accountRef: { kind: 'CloudAccount', name: ELSEWHERE },
      }),
    },
  ];
  const flags: Flags = {
    allowedHosts: random.pick([['api.example.jp'], ['API.example.jp'], ['other.example.jp', 'api.example.jp']]),
    ...(setting.flags?.secretNames && { secretNames: [...setting.flags.secretNames, credentials] }),
  };
  return withFlags(drawn, flags, { objects: [...setting.objects, ...objects] });
}
