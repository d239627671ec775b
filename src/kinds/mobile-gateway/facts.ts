import type { DialectName } from '../../cloud/dialect.ts';
import type { DNSResolvers, Gateway, GatewaySettings } from '../../cloud/gateway/types.ts';
import type { MarksOf, Progress } from '../../reconcile/managed-object.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { GatewayHold } from './reasons.ts';
import type { GatewayMark, GatewaySpec, MobileGateway } from './schema.ts';
import type { GatewayApplied } from './status-schema.ts';

/** Traffic monitoring without the secret in it. */
export type Monitoring = NonNullable<GatewayApplied['trafficMonitoring']>;

/** A route to a network behind a SIM, by the SIM's ID. */
export interface ResolvedRoute {
  readonly prefix: string;
  readonly resourceID: string;
}

/** A route whose Sim is not registered with the gateway. */
export interface WaitingRoute {
  readonly prefix: string;
  /** Name of the Sim. */
  readonly sim: string;
  /** Of the Sim; undefined: there is none of that name. */
  readonly iccid?: string | undefined;
  /** The SIM that the Sim has. */
  readonly simID?: string | undefined;
  /** There is such a Sim, and its `gatewayRef` does not name this gateway. */
  readonly isMeantElsewhere?: boolean;
}

/** A SIM registered with the gateway, whoever it belongs to. */
export interface RegisteredSim {
  readonly id: string;
  readonly iccid?: string | undefined;
  readonly ip?: string | undefined;
  readonly isUp: boolean;
}

/** What no list shows, as last read; undefined where it was not read. */
export interface GatewayDetails {
  readonly simRoutes?: readonly ResolvedRoute[] | undefined;
  /** `'unset'`: read, and there is none. */
  readonly trafficMonitoring?: Monitoring | 'unset' | undefined;
  /** Extended only; `'unset'`: read, and there are none. */
  readonly dns?: DNSResolvers | 'unset' | undefined;
  readonly sims?: readonly RegisteredSim[] | undefined;
  readonly traffic?:
    | { readonly uplinkBytes: number; readonly downlinkBytes: number; readonly trafficShaping: boolean }
    | undefined;
}

/** What the spec asks for, with its references resolved. */
export interface DesiredGateway {
  /** `displayName`, else `metadata.name`. */
  readonly name: string;
  readonly spec: GatewaySpec;
  /** The URL of the chat webhook; a hold says why it can't be had. Undefined without one. */
  readonly chatWebhook:
    | { readonly value: SecretValue; readonly digest: string }
    | { readonly hold: GatewayHold }
    | undefined;
  /** Routes whose Sim is registered with this gateway, and the prefixes of those whose Sim is not. */
  readonly simRoutes: {
    readonly resolved: readonly ResolvedRoute[];
    readonly waiting: readonly WaitingRoute[];
  };
  /** A person has asked that deletion takes SIMs off the gateway that no Sim takes off it. */
  readonly releasesSims: boolean;
  /** Sims of this cluster that are on the gateway by their own hand, `namespace/name`: they leave by themselves. */
  readonly namedBy: readonly string[];
}

/** Everything a gateway's plan and status follow from. Plain data. */
export interface GatewayFacts {
  readonly desired: DesiredGateway;
  readonly applied: GatewayApplied;
  readonly found?: readonly string[] | undefined;
  readonly pending: readonly string[];
  readonly marks: GatewayMarks;
  readonly observed: Gateway | undefined;
  /** The settings that took effect last; undefined: nobody knows. */
  readonly inEffect?: GatewaySettings | undefined;
  /** It was seen running: if it is down, somebody has stopped it. */
  readonly wasUp?: boolean;
  readonly details: GatewayDetails;
  readonly ownership: NonNullable<Progress['ownership']>;
  readonly dialect: DialectName;
  /** The service does not show the resolvers, and they were sent long ago, or a person wants everything looked at. */
  readonly resendsDNS?: boolean;
  /** To create one now; undefined: there is one. */
  readonly intent?: GatewayMarks['creation'];
  /** By the clock of the cluster, milliseconds since the epoch. */
  readonly now: number;
}

/** The kind's marks. */
export type GatewayMarks = MarksOf<MobileGateway, GatewayMark>;
