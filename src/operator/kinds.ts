import type { Api, Lane } from '../cloud/limiter/lanes.ts';
import type { BrakedKind } from '../kinds/cloud-account/brakes.ts';
import type { ManagedObjects } from '../kinds/index.ts';
import { isTheGateway } from '../kinds/mobile-gateway/find.ts';
import { isGatewayToBeCreated } from '../kinds/mobile-gateway/plan.ts';
import { isTheSim } from '../kinds/sim/find.ts';
import { isOfTheSite } from '../kinds/site-certificate/locate-site.ts';
import { isTheSite } from '../kinds/web-accel-site/find.ts';
import { type ManagedKindName, managedKindNames } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { AccountSession } from '../reconcile/session.ts';
import { wireCertificates } from './certificates.ts';
import { wireGateways } from './gateways.ts';
import { type RecordedIn, recordedIn } from './recorded.ts';
import { wireSims } from './sims.ts';
import { wireSites } from './sites.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** All that the operator has to know of a managed kind. Its watch follows from its definition. */
interface KindEntry<T extends ManagedObject> {
  /**
   * Kinds whose requests wait in one line. Settings of sites and certificates are apart, because one of them may have its
   * share of passes wait for an hour: that must not keep certificates from being renewed, or SIMs from being worked on.
   */
  readonly line: string;
  /** Whose limits it waits for. */
  readonly api: Api;
  /** The lane of what it waits for first. */
  readonly lane: Lane;
  /** How its losses are noticed. */
  readonly recorded: RecordedIn<T>;
  /** What the brakes have to know of it; absent: it makes and deletes nothing at the service. */
  readonly braked?: BrakedKind<T>;
  /** Connects it to its watches. */
  readonly wire: (wiring: Wiring) => WiredKind;
}

/** What is recorded of a certificate is its site, too. */
const site = {
  api: 'webaccel',
  word: 'site',
  list: (session: AccountSession) => session.sites(),
} as const;

/** The managed kinds; one that is missing does not compile. */
export const kinds: { readonly [K in ManagedKindName]: KindEntry<ManagedObjects[K]> } = {
  Sim: {
    line: 'mobile',
    api: 'cloud',
    lane: 'write',
    recorded: recordedIn({
      api: 'cloud',
      word: 'SIM',
      list: (session) => session.sims,
      isIt: isTheSim,
    }),
    braked: { isToBeCreated: () => false },
    wire: wireSims,
  },
  MobileGateway: {
    line: 'mobile',
    api: 'cloud',
    lane: 'write',
    recorded: recordedIn({
      api: 'cloud',
      word: 'gateway',
      placeOf: ({ spec }) => spec.zone,
      list: (session, zone) => session.gateways(zone),
      isPlace: (session, zone) => session.isZone(zone),
      isIt: isTheGateway,
    }),
    braked: { isToBeCreated: isGatewayToBeCreated },
    wire: wireGateways,
  },
  WebAccelSite: {
    line: 'sites',
    api: 'webaccel',
    lane: 'list',
    recorded: recordedIn({ ...site, isIt: isTheSite }),
    wire: wireSites,
  },
  SiteCertificate: {
    line: 'certificates',
    api: 'webaccel',
    lane: 'list',
    recorded: recordedIn({ ...site, isIt: isOfTheSite }),
    wire: wireCertificates,
  },
};

/** Connects all of them. */
export function wireKinds(wiring: Wiring): WiredKind[] {
  return managedKindNames.map((name) => kinds[name].wire(wiring));
}

/** The line that resources of the kind wait in, and for what. */
export function lineOf(kind: string): { readonly line: string; readonly api: Api; readonly lane: Lane } {
  return entryOf(kind) ?? { line: kind, api: 'cloud', lane: 'write' };
}

/** What the limits are that a managed kind waits for; undefined for any other kind. */
export function apiOf(kind: string): Api | undefined {
  return entryOf(kind)?.api;
}

function entryOf(kind: string): Pick<KindEntry<never>, 'line' | 'api' | 'lane'> | undefined {
  return isManagedKind(kind) ? kinds[kind] : undefined;
}

function isManagedKind(kind: string): kind is ManagedKindName {
  return managedKindNames.some((name) => name === kind);
}
