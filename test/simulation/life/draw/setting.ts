import type { AccountOptions } from '../../../../src/shadow/service/types.ts';
import type { Random } from '../../../../src/shadow/world/random.ts';
import type { JsonObject } from '../json.ts';
import type { Ref } from '../script.ts';
import type { ObjectSeeds, Setting } from '../setting.ts';
import { seedOf } from './seed.ts';
import type { Wishes } from './stories/story.ts';
import type { kinds } from './vocabulary.ts';
import { BASE_URL, CANARY, domains, goodCertificates, iccids, manifest, ref, secret, tlsData } from './vocabulary.ts';

/** An account in the cluster, and whose world at the service it opens. */
export interface DrawnAccount {
  readonly ref: Ref;
  readonly spec: JsonObject;
  /** The Secret that opens it. */
  readonly credentials: Ref;
  readonly opens: AccountOptions;
}

/** A setting, with what drawing the steps needs to know of it. */
export interface DrawnSetting {
  readonly setting: Setting;
  readonly accounts: readonly DrawnAccount[];
  /** The accounts that resources of a namespace may use: by default, and by name. */
  accountsOf(namespace: string): readonly { readonly account: DrawnAccount; readonly isDefault: boolean }[];
  readonly namespaces: readonly string[];
}

const MINUTE = 60_000;
const ACCOUNTS = 'accounts';

export function credentialsNamed(name: string, sameAs?: string): AccountOptions {
  return {
    name,
    accessToken: `${CANARY}-token-${name}`,
    accessTokenSecret: `${CANARY}-secret-${name}`,
    ...(sameAs !== undefined && { sameAs }),
  };
}

export function credentialsData({ accessToken, accessTokenSecret }: AccountOptions): JsonObject {
  return { accessToken, accessTokenSecret };
}

export function passCodeKey(iccid: string): string {
  return `code-${iccid.at(-1) ?? ''}`;
}

export function passCodeOf(iccid: string): string {
  return `${CANARY}-pass-${iccid.at(-1) ?? ''}`;
}

/** The name of the Secret with the certificate of a domain. */
export function tlsSecretName(domain: string): string {
  return `tls-${/^[abc]/.test(domain) ? domain[0] : 'japanese'}`;
}

/** A setting by chance, but for what is wished. */
export function drawSetting(random: Random, given?: Wishes): DrawnSetting {
  const wishes = given ?? {};
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const namespaces = ['fleet', 'harbour', 'depot'].slice(0, wishes.namespaces ?? count);
  const east = credentialsNamed('east');
  const credentials = [
    east,
    credentialsNamed('east-2', 'east'),
    ...(or(wishes.hasOther ?? (wishes.second === 'west' || undefined), random.chance(0.3))
      ? [credentialsNamed('west')]
      : []),
  ];
  const hasCluster = or(wishes.hasClusterAccount, random.chance(0.3));
  const isTight = or(wishes.webAccelRequestsPerHour === undefined ? wishes.isTight : true, random.chance(0.12));
  const accounts = [
    ...(hasCluster ? [drawAccount(undefined, 'default', east)] : []),
    ...namespaces
      .filter((_, index) => !hasCluster || (index > 0 && random.chance(0.5)))
      .map((namespace) =>
        drawAccount(namespace, 'default', wishes.isEast || random.chance(0.8) ? east : random.pick(credentials)),
      ),
    ...(or(wishes.second !== undefined || undefined, random.chance(0.3))
      ? [
          drawAccount(
            namespaces[0],
            'second',
            credentials.find(({ name }) => name === wishes.second) ?? random.pick(credentials),
          ),
        ]
      : []),
  ];
  const { service: ofService, ...ofSetting } = wishes.setting ?? {};
  const seed: Record<string, ObjectSeeds> = {};
  for (const { name, sameAs } of credentials) {
    if (sameAs !== undefined) continue;
    seed[name] = { ...seedOf(name, random.fork(`seed ${name}`)), ...(name === 'east' && wishes.east) };
  }

  return {
    setting: {
      credentials,
      seed,
      passCodes: Object.fromEntries(iccids.map((iccid) => [iccid, passCodeOf(iccid)])),
      service: {
        migratingTime: random.pick([0, 2000, 20_000]),
        stillCreatingMs: random.pick([0, 0, 0, 3000]),
        shownAfterCreate: random.pick([0, 0, 0, 1500, 8000]),
        allowDuplicateICCID: random.chance(0.5),
        ipMustBeInSubnet: random.chance(0.3),
        ...(random.chance(0.08) && { pageLimit: 1 + random.int(3) }),
        ...(random.chance(0.3) && { nonceLifetime: 5000 }),
        ...ofService,
      },
      objects: [...namespaces.map(namespaceOf), ...(hasCluster ? [namespaceOf(ACCOUNTS)] : []), ...objects()],
      ...(random.chance(0.1)
        ? { replicas: random.chance(0.7) ? 2 : 1, leaderElect: true }
        : { replicas: 1, leaderElect: false }),
      logs: random.chance(0.15),
      trouble: MINUTE * random.pick([3, 5, 8, 12]),
      ...ofSetting,
    },
    accounts,
    accountsOf: (namespace) =>
      accounts
        .filter((account) => account.ref.namespace === undefined || account.ref.namespace === namespace)
        .map((account) => ({ account, isDefault: account === defaultOf(namespace) })),
    namespaces,
  };

  function defaultOf(namespace: string): DrawnAccount | undefined {
    const named = accounts.filter((account) => account.ref.name === 'default');
    return (
      named.find((account) => account.ref.namespace === namespace) ??
      named.find((account) => account.ref.namespace === undefined)
    );
  }

  function drawAccount(namespace: string | undefined, name: string, opens: AccountOptions): DrawnAccount {
    const home = namespace ?? ACCOUNTS;
    const credentials = ref('secrets', home, name === 'default' ? 'service-credentials' : `${name}-credentials`);
    const limits = {
      ...(isTight && { webAccelRequestsPerHour: wishes.webAccelRequestsPerHour ?? 10 + random.int(15) }),
      ...(random.chance(0.5) && { cloudRequestsPerSecond: random.pick([2, 10, 20]) }),
      ...(wishes.cloudRequestsPerSecond !== undefined && { cloudRequestsPerSecond: wishes.cloudRequestsPerSecond }),
    };
    const spec = {
      baseURL: BASE_URL,
      credentialsSecretRef: { name: credentials.name },
      ...(random.chance(0.2) && { authentication: 'Digest' }),
      ...dialect(),
      ...(Object.keys(limits).length > 0 && { limits }),
      ...brakesOf(namespace, name),
      ...(namespace === undefined && { secretNamespace: home }),
    };
    return {
      ref: ref(namespace === undefined ? 'clustercloudaccounts' : 'cloudaccounts', namespace, name),
      spec,
      credentials,
      opens,
    };
  }

  /** Of numbers of its own, so that all else is drawn as without. */
  function brakesOf(namespace: string | undefined, name: string): JsonObject {
    const own = random.fork(`brakes ${namespace ?? ''}/${name}`);
    const drawn = given ? WIDE : drawBrakes(own);
    return { brakes: wishes.brakes ?? drawn };
  }

  function dialect(): JsonObject {
    const drawn = random.chance(0.5) ? { dialect: random.chance(0.9) ? 'Extended' : 'Documented' } : {};
    return wishes.dialect === undefined ? drawn : { dialect: wishes.dialect };
  }

  function objects(): Setting['objects'] {
    const secrets = namespaces.flatMap((namespace) => [
      {
        ref: ref('secrets', namespace, 'secrets'),
        manifest: secret(namespace, 'secrets', {
          ...Object.fromEntries(iccids.map((iccid) => [passCodeKey(iccid), passCodeOf(iccid)])),
          webhook: `https://chat.example.jp/${CANARY}-hook-1`,
          once: `${CANARY}-once-1`,
          'once-2': `${CANARY}-once-2`,
        }),
      },
      { ref: ref('secrets', namespace, 'bucket'), manifest: bucketSecret(namespace, 1) },
      ...domains.map((domain) => ({
        ref: ref('secrets', namespace, tlsSecretName(domain)),
        manifest: tlsSecret(namespace, domain, random),
      })),
    ]);
    const opened = accounts.flatMap(({ ref: account, spec, credentials, opens }) => [
      {
        ref: credentials,
        manifest: secret(credentials.namespace ?? '', credentials.name, credentialsData(opens)),
      },
      { ref: account, manifest: manifest(accountPlural(account), account.namespace, account.name, spec) },
    ]);
    return [...secrets, ...opened];
  }
}

/** So wide that nothing is held, though all is counted. */
const WIDE: JsonObject = {
  deletions: { maxPerHour: 200, maxPercent: 100 },
  gatewayCreations: { maxPerHour: 200 },
};

/** Mostly wide, for users delete much; else off, as it is by default, or tight. */
function drawBrakes(random: Random): JsonObject {
  const chance = random.next();
  if (chance < 0.65) return WIDE;
  if (chance < 0.75) return { deletions: { policy: 'Allow' }, gatewayCreations: { policy: 'Allow' } };
  if (chance < 0.85) return {};
  return {
    deletions: { maxPerHour: 1 + random.int(4), maxPercent: random.pick([20, 50, 100]) },
    gatewayCreations: { maxPerHour: 1 + random.int(2) },
  };
}

/** What is wished, else what was drawn: chance goes on alike. */
function or<T>(wished: T | undefined, drawn: T): T {
  return wished ?? drawn;
}

/** Of two generations, one after the other, only the key differs, and not its ID. */
export function bucketSecret(namespace: string, generation: number): JsonObject {
  return secret(namespace, 'bucket', {
    accessKeyID: `${CANARY}-key-${Math.ceil(generation / 2)}`,
    secretAccessKey: `${CANARY}-key-secret-${generation}`,
  });
}

function tlsSecret(namespace: string, domain: string, random: Random): JsonObject {
  const certificate = random.pick(goodCertificates(domain));
  return secret(namespace, tlsSecretName(domain), tlsData(certificate), 'kubernetes.io/tls');
}

function namespaceOf(name: string): Setting['objects'][number] {
  return {
    ref: ref('namespaces', undefined, name),
    manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  };
}

export function accountPlural(account: Ref): keyof typeof kinds {
  return account.plural === 'cloudaccounts' ? 'cloudaccounts' : 'clustercloudaccounts';
}
