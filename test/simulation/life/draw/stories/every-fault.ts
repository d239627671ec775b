import { certificateNamed } from '../../../certificates.ts';
import { type JsonObject, mergePatch } from '../../json.ts';
import type { Act, MessageFault } from '../../script.ts';
import type { Role } from '../cast.ts';
import { actOf, type Cell, RATES, READ_ALONE, takesLong } from '../cells.ts';
import { type Draft, put } from '../draft.ts';
import { type DrawnSetting, passCodeKey } from '../setting.ts';
import { iccids, type ManagedPlural, manifest, ref, secret, tlsData } from '../vocabulary.ts';
import type { Story } from './story.ts';

export const EVERY_FAULT = 'every-fault';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NAMESPACE = 'fleet';
/** A site of this life alone. */
const DOMAIN = 'd.example.jp';
const TLS = 'tls-d';

/**
 * Users make every operation come twice or more: what is made is changed, loses its fields, gets them back, is deleted and
 * made again. Each fault of these lies in wait for its operation from some moment of the first minutes on.
 */
export function everyFault(cells: readonly Cell[]): Story {
  return {
    name: EVERY_FAULT,
    isAlone: true,
    arrives: true,
    wishes: () => ({
      namespaces: 1,
      hasClusterAccount: cells.some(({ route }) => route.startsWith('patch clustercloudaccounts')),
      isTight: false,
      dialect: 'Extended',
      setting: {
        replicas: 1,
        leaderElect: cells.some(({ route }) => route.endsWith('leases')),
        trouble: (roundsFor(cells).length + 3) * MINUTE,
        ...(hasRates(cells) && { flags: { simRates: true } }),
      },
    }),
    cast: (drawn) => rolesIn(worldOf(drawn)),
    tell(draft) {
      prepare(draft);
      live(draft, roundsFor(cells));
      for (const cell of cells) lieInWait(draft, cell);
      const lists = cells.flatMap(({ route }) => READ_ALONE.exec(route)?.[1] ?? []);
      for (const list of new Set(lists)) lack(draft, list);
      if (hasRates(cells)) connect(draft, roundsFor(cells).length);
    },
  };
}

const simICCIDs = iccids.slice(-2);
const IMEI = '356938035643809';

/** What the namespace's own account is called at the service. */
function worldOf({ accountsOf }: DrawnSetting): string {
  const opens = accountsOf(NAMESPACE).find(({ isDefault }) => isDefault)?.account.opens;
  return opens?.sameAs ?? opens?.name ?? 'east';
}

function rolesIn(world: string): Role[] {
  const role = (plural: ManagedPlural, name: string, fixed: JsonObject): Role => {
    return { ref: ref(plural, NAMESPACE, name), plural, fixed, world };
  };
  const certificate = { siteRef: { name: 'site-1' }, secretRef: { name: TLS }, allowRollback: true };
  return [
    role('mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2, deletionPolicy: 'Delete' }),
    ...simICCIDs.map((iccid, index) => {
      const passCodeSecretRef = { name: 'secrets', key: passCodeKey(iccid) };
      return role('sims', `sim-${index + 1}`, { iccid, passCodeSecretRef, deletionPolicy: 'Delete' });
    }),
    role('webaccelsites', 'site-1', { domain: DOMAIN }),
    role('sitecertificates', 'certificate-1', certificate),
  ];
}

type Variant = 'one' | 'other' | 'bare';

/** What of it users want to be otherwise, by turns; bare: all that can be unset is. */
const specs: Readonly<Record<ManagedPlural, Readonly<Record<Variant, (index: number) => JsonObject>>>> = {
  sims: {
    one: (index) => ({
      activated: true,
      gatewayRef: { name: 'gateway-1' },
      ipAddress: `10.0.0.${11 + index}`,
      imeiLock: IMEI,
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: false },
      ],
      displayName: 'Truck',
    }),
    other: (index) => ({
      activated: false,
      gatewayRef: { name: 'gateway-1' },
      ipAddress: `10.0.0.${13 + index}`,
      imeiLock: '490154203237518',
      carriers: [
        { name: 'KDDI', allow: true },
        { name: 'SoftBank', allow: true },
      ],
      displayName: 'Crane',
    }),
    bare: () => ({ activated: true, displayName: 'Crane' }),
  },
  mobilegateways: {
    one: () => ({
      displayName: 'Depot',
      internetConnection: true,
      privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
      simRoutes: [{ prefix: '192.168.20.0/24', simRef: { name: 'sim-1' } }],
      trafficMonitoring: { quotaMB: 512, email: true },
    }),
    other: () => ({
      displayName: 'Yard',
      internetConnection: false,
      privateInterface: { ipAddress: '10.0.0.2', networkMaskLength: 24 },
      dns: { primary: '1.1.1.1', secondary: '1.0.0.1' },
      simRoutes: [{ prefix: '192.168.21.0/24', simRef: { name: 'sim-1' } }],
      trafficMonitoring: { quotaMB: 1024, email: false },
    }),
    bare: () => ({
      displayName: 'Yard',
      privateInterface: { ipAddress: '10.0.0.2', networkMaskLength: 24 },
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
    }),
  },
  webaccelsites: {
    one: () => ({ displayName: 'Front', defaultCacheTTL: 60, accessControl: ['deny 192.0.2.0/24', 'allow all'] }),
    other: () => ({ displayName: 'Shop', defaultCacheTTL: 3600, accessControl: ['deny 203.0.113.9'] }),
    bare: () => ({ displayName: 'Shop' }),
  },
  sitecertificates: { one: () => ({}), other: () => ({}), bare: () => ({}) },
};

/** What the account has of these is taken away, so that it is made; the site is there, for the operator makes none. */
function prepare(draft: Draft): void {
  draft.at = 0;
  // Each of two accounts may have it.
  for (const iccid of [...simICCIDs, ...simICCIDs]) put(draft, { what: 'remove', kind: 'sims', name: iccid });
  put(draft, { what: 'add', account: worldOf(draft.drawn), kind: 'sites', seed: { name: DOMAIN, domain: DOMAIN } });
  put(draft, certificate('wildcard-1'));
}

function certificate(name: string): Act {
  const { chain, key } = certificateNamed(name);
  const content = secret(NAMESPACE, TLS, tlsData({ chain, key }), 'kubernetes.io/tls');
  return { what: 'create', ref: ref('secrets', NAMESPACE, TLS), manifest: content, patience: 0 };
}

function hasRates(cells: readonly Cell[]): boolean {
  return cells.some(({ route }) => route === RATES);
}

/** The devices to which the SIMs are locked, so that these have a session: only then is there a rate. */
function connect(draft: Draft, minutes: number): void {
  draft.at = 0;
  for (let minute = 0; minute < minutes; minute++) {
    for (const iccid of simICCIDs)
      put(
        draft,
        { what: 'edit', patch: { sims: { [iccid]: { connectedIMEI: IMEI } } } },
        minute * MINUTE + 20 * SECOND,
      );
  }
}

type Round = Variant | 'deleted';

/**
 * Two rounds of all that can be asked for, a deletion of everything, and the same again; twice after what takes long. Rates come
 * while nothing changes.
 */
function roundsFor(cells: readonly Cell[]): readonly Round[] {
  const all: readonly Round[] = ['one', 'other', 'bare', 'one', 'other', 'bare', 'deleted', 'one', 'bare', 'deleted'];
  const calm: readonly Round[] = hasRates(cells) ? Array.from({ length: 12 }, () => 'one') : [];
  return cells.some(takesLong) ? [...all, ...all, 'one', ...calm] : [...all, 'one'];
}

function live(draft: Draft, rounds: readonly Round[]): void {
  let from: Variant | undefined;
  const roles = draft.cast;
  rounds.forEach((round, index) => {
    // What a certificate's Secret has changes beside everything else.
    if (index > 0) put(draft, certificate(`wildcard-${1 + (index % 3)}`));
    if (round === 'deleted') {
      for (const one of roles) put(draft, { what: 'delete', ref: one.ref });
    } else {
      roles.forEach((one, place) => change(draft, one, place, from, round));
      for (const one of roles.filter(({ plural }) => plural === 'sims')) reconnect(draft, one, index);
    }
    from = round === 'deleted' ? undefined : round;
    draft.at += MINUTE;
  });
}

function change(draft: Draft, one: Role, place: number, from: Variant | undefined, to: Variant): void {
  const { plural, fixed, ref: what } = one;
  const specOf = (variant: Variant): JsonObject => ({ ...fixed, ...specs[plural][variant](place) });
  const spec = specOf(to);
  draft.present.set(one, { spec, annotations: {} });
  const made = manifest(plural, NAMESPACE, what.name, spec);
  if (from === undefined) put(draft, { what: 'create', ref: what, manifest: made, patience: 2 * MINUTE }, 50);
  else put(draft, { what: 'patch', ref: what, patch: { spec: mergePatch(specOf(from), spec) } });
}

/** Long enough after everything else for the SIM to be active. */
function reconnect(draft: Draft, one: Role, round: number): void {
  const annotations = { 'edgeline.dev/reconnect-at': `${round + 1}` };
  put(draft, { what: 'patch', ref: one.ref, patch: { metadata: { annotations } } }, 40 * SECOND);
}

/** What comes when a process starts, and what comes once. */
const AT_START = /^(list|watch|get edgeline)/;
const ONCE =
  /^(create leases|patch (cluster)?cloudaccounts|POST webaccel.*|GET webaccel.monthlyusage|.*traffic_status)$/;

function lieInWait(draft: Draft, cell: Cell): void {
  const { route, to } = cell;
  const isEarly = AT_START.test(route) || ONCE.test(route) || READ_ALONE.test(route);
  draft.at = isEarly ? 0 : draft.random.pick([0, 0, 70, 140]) * SECOND;
  put(draft, actOf(cell));
  // The first of them have begun before any step is done.
  if (AT_START.test(route)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 75 * SECOND);
  const [verb, what = ''] = route.split(' ');
  // Who meets a conflict reads what is there now.
  if (to === 'kubernetes' && verb === 'get' && !what.includes('.')) {
    help(
      draft,
      to,
      what === 'leases' ? 'update leases' : `patch ${what}/status`,
      { kubernetes: 409 },
      { count: 3, lasts: 10 * MINUTE },
    );
  }
}

/** What a list lacks is read by itself. No list lacks it for as long as what was made is looked for. */
function lack(draft: Draft, list: string): void {
  draft.at = 0;
  help(draft, 'service', `GET ${list}`, { service: 'list misses a member' }, { count: 30, lasts: 150 * SECOND });
  removedByHand(draft);
}

/** A fault that makes another operation come. */
function help(
  draft: Draft,
  to: Cell['to'],
  route: string,
  fault: MessageFault,
  { count, lasts }: { readonly count: number; readonly lasts: number },
): void {
  put(draft, { what: 'fault', to, route, fault, count, skip: 0, milliseconds: 0, lasts });
}

/** What is not there any more is looked for by itself, before it is made anew. */
function removedByHand(draft: Draft): void {
  for (const at of [95, 215, 275, 635]) {
    draft.at = at * SECOND;
    // Not both SIMs: of three that are missing at once the operator asks first.
    for (const name of simICCIDs.slice(0, 1)) put(draft, { what: 'remove', kind: 'sims', name });
    // It has either name.
    for (const name of ['Depot', 'Yard']) put(draft, { what: 'remove', kind: 'gateways', name });
  }
}
