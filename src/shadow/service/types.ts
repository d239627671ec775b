import type { StatePatch } from '../../simulator/control/patch.ts';
import type { Server, Sim, Site } from '../../simulator/model.ts';
import type { ApiName } from '../../simulator/router.ts';
import type { Seed } from '../../simulator/seed-schema.ts';
import type { Settings } from '../../simulator/settings.ts';
import type { StoredGateway, StoredWorld } from '../../simulator/state/snapshot.ts';
import type { Kind } from '../../simulator/touch.ts';
import type { Fault } from './faults.ts';

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Whatever the case of their names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Which process sent it, for the ledger. */
  readonly from: string;
}

export interface ServiceAnswer {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Record<string, string | string[]>;
  /** A picture comes as text of one character a byte. */
  readonly body: string;
}

type Plain<T> = T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T;

/*
 * Objects as the service has them, in the words that edits take too. They are copies that never change: an object that
 * changes gets a new one. A gateway's SIMs are those whose gatewayID is its ID.
 */
export type SimView = Plain<Sim>;
export type GatewayView = Plain<StoredGateway>;
export type SiteView = Plain<Site>;
export type ServerView = Plain<Server>;

/** Everything an account has, by ID, now. */
export interface WorldView {
  readonly sims: ReadonlyMap<string, SimView>;
  readonly gateways: ReadonlyMap<string, GatewayView>;
  readonly sites: ReadonlyMap<string, SiteView>;
  readonly servers: ReadonlyMap<string, ServerView>;
}

interface ChangeOf<K extends Kind, V> {
  readonly kind: K;
  readonly id: string;
  /** Undefined when it was made. */
  readonly before: V | undefined;
  /** Undefined when it was removed. */
  readonly after: V | undefined;
}

/** What became of one object. */
export type ObjectChange =
  | ChangeOf<'sims', SimView>
  | ChangeOf<'gateways', GatewayView>
  | ChangeOf<'sites', SiteView>
  | ChangeOf<'servers', ServerView>;

/** A write that the service carried out, whether or not it made a difference; or an edit at the control panel. */
export interface Change {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The process, or `control panel`. */
  readonly from: string;
  /** The account that owns what changed. */
  readonly account: string;
  /** For example `PUT /commonserviceitem/:id/sim/ip`; `edit` at the control panel. */
  readonly route: string;
  readonly method: string;
  /** Those in the path. */
  readonly ids: readonly string[];
  /** Parsed. It has secrets in clear. */
  readonly body: unknown;
  /** What the service meant to answer, whatever fault came between; 0 for an edit. */
  readonly status: number;
  /** The object the operation is about, of those in `objects`: for a registration the SIM. */
  readonly before: ObjectChange['before'];
  readonly after: ObjectChange['after'];
  readonly objects: readonly ObjectChange[];
}

/** A request that reached the service, or was lost on the way there. */
export interface Arrival {
  readonly at: number;
  readonly from: string;
  /** The account whose limits it counts against; null where nobody is known by the credentials. */
  readonly account: string | null;
  readonly api: ApiName | null;
  readonly method: string;
  /** `METHOD (unknown)` where there is no such operation. */
  readonly route: string;
  readonly ids: readonly string[];
  /** The operation was done: what a write asks for is so now. */
  readonly isCarriedOut: boolean;
  readonly outcome: number | 'cut' | 'stall';
  /** The fault that had an effect: not the one asked for where that makes no sense, and none where nothing differs. */
  readonly fault: Fault | undefined;
}

export interface AccountOptions {
  readonly name: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  /** The account these are further credentials of. */
  readonly sameAs?: string;
}

type ObjectSeeds = Pick<Seed, 'sims' | 'gateways' | 'sites' | 'servers'>;

export interface ServiceOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** From 0 to 1; asked only where a fault needs chance. */
  readonly random: () => number;
  readonly accounts: readonly AccountOptions[];
  readonly settings?: Partial<Settings>;
  /** What is there at first, by the name of the account. */
  readonly seed?: Readonly<Record<string, ObjectSeeds>>;
  /** The first of the IDs that the service gives. */
  readonly firstID?: number;
  /** Worlds that are there at first, in the place of those of their accounts. */
  readonly worlds?: readonly StoredWorld[];
  /** The right pass code by ICCID; other SIMs take any. */
  readonly passCodes?: Readonly<Record<string, string>>;
}

/** The simulated service without sockets: synchronous, and the same from the same inputs. */
export interface Service {
  /**
   * Carries out now. The caller decides when a request arrives, how often, and when (if) its answer does. `fault` changes
   * what happens; one that makes no sense for the operation gives way to one that does.
   */
  handle(request: ServiceRequest, fault?: Fault): ServiceAnswer | 'cut' | 'stall';
  /** Told of every write carried out and of every edit. */
  onChange(listener: (change: Change) => void): void;
  /** Told of every request, after it was handled. */
  onArrival(listener: (arrival: Arrival) => void): void;
  /** All changes so far. */
  readonly changes: readonly Change[];
  /** All requests so far. */
  readonly arrivals: readonly Arrival[];
  /** When the requests of an account came, milliseconds since the Unix epoch, also those that were refused or lost. */
  arrivalTimes(account: string, api: ApiName): readonly number[];
  /** What an account has. Throws when there is no such account. */
  world(account: string): WorldView;
  /** Edits as at the control panel, objects by ID, ICCID, name or domain. Only the form is checked. */
  edit(patch: StatePatch): void;
  /** Adds an object, in the form of the seed file; answers its ID. */
  add(account: string, kind: Kind, seed: object): string;
  /** Removes an object whatever its state; a gateway loses its SIMs first. */
  remove(kind: Kind, name: string): void;
  /** Whether a pair of credentials is accepted, by the name in `accounts`; each is at first. */
  accept(credentials: string, isAccepted: boolean): void;
  /** May be changed at any time, as by the control port. */
  readonly settings: Settings;
  /** The names of all operations. */
  readonly routes: readonly string[];
}
