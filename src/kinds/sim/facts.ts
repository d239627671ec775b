import type { DialectName } from '../../cloud/dialect.ts';
import type { Carrier } from '../../cloud/sim/types.ts';
import type { Progress } from '../../reconcile/managed-object.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { PrivateInterface } from '../common/network.ts';
import type { AddressTurn } from './address.ts';
import type { SimHold } from './reasons.ts';
import type { Sim, SimApplied, SimSpec } from './schema.ts';

/** A gateway as far as a SIM needs it. */
export interface GatewayAddress {
  readonly id: string;
  readonly zone: string;
  /** Its private interface, as wanted or else as it is, where it has one. */
  readonly inner?: PrivateInterface | undefined;
}

/** The SIM as the service has it. */
export interface ObservedSim {
  readonly id: string;
  readonly createdAt?: string | undefined;
  readonly name: string;
  readonly iccid: string;
  readonly imsi: readonly string[];
  readonly availability: string;
  readonly activated: boolean;
  readonly registered: boolean;
  /** The gateway it is registered with, where known; undefined while registered means: not found out. */
  readonly gateway?: GatewayAddress | undefined;
  readonly simGroupID?: string | undefined;
  readonly ip?: string | undefined;
  readonly imeiLocked: boolean;
  /** The IMEI it is locked to, where the service shows it. */
  readonly imei?: string | undefined;
  readonly connectedIMEI?: string | undefined;
  readonly sessionStatus?: string | undefined;
  /** Undefined: not read, because nothing depends on it. */
  readonly carriers?: readonly Carrier[] | undefined;
  readonly registeredAt?: string | undefined;
  readonly activatedAt?: string | undefined;
  readonly deactivatedAt?: string | undefined;
  readonly traffic?: { readonly uplinkBytes: number; readonly downlinkBytes: number } | undefined;
}

/** What the spec asks for, with its references resolved. */
export interface DesiredSim {
  /** `metadata.name`, the name at the service unless `displayName` says otherwise. */
  readonly defaultName: string;
  readonly spec: SimSpec;
  /** The gateway of `gatewayRef`: an address, or why there is none yet. Undefined without `gatewayRef`. */
  readonly gateway: GatewayAddress | { readonly hold: SimHold } | undefined;
  /** Read only when there is a SIM to create; a hold says why it can't be had. */
  readonly passCode: { readonly value: SecretValue } | { readonly hold: SimHold } | undefined;
  /** A new value of edgeline.dev/reconnect-at, to be acted on. */
  readonly reconnectAt?: string | undefined;
}

/** Since when a SIM is over its limit, as `status.dataLimit` has it. */
export type Excess = NonNullable<NonNullable<Sim['status']>['dataLimit']>;

/** How a SIM stands to the limit of its spec. */
export type LimitReading =
  | { readonly state: 'Within' }
  /** The service does not say what went through. */
  | { readonly state: 'Unknown' }
  /** `stops`: it is not to be active while that is so. */
  | { readonly state: 'Exceeded'; readonly excess: Excess; readonly stops: boolean };

/** Everything a Sim's plan and status follow from. Plain data. */
export interface SimFacts {
  readonly desired: DesiredSim;
  readonly applied: SimApplied;
  readonly found?: readonly string[] | undefined;
  readonly pending: readonly string[];
  readonly observed: ObservedSim | undefined;
  /** Whose work it is, if the progress doesn't know: found after an interrupted creation, or found existing. */
  readonly ownership: NonNullable<Progress['ownership']>;
  /** It is being taken over just now: what was asked for in the past was not asked of this resource. */
  readonly takesOver?: boolean;
  /** Whose turn it is where the address of the spec may be another SIM's. */
  readonly address?: AddressTurn | undefined;
  /** How it stands to `dataLimit` of the spec; undefined without one. */
  readonly dataLimit?: LimitReading | undefined;
  /** Since when it was seen without a session, where the spec expects it online. RFC 3339. */
  readonly sessionDownSince?: string | undefined;
  readonly dialect: DialectName;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}
