import type { DNSResolvers, GatewaySettings } from '../../cloud/gateway/types.ts';
import type { ChangeCause, FieldChange } from '../../reconcile/change.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { Part } from '../common/combine.ts';
import type { GatewayFacts, GatewayMarks, Monitoring, ResolvedRoute } from './facts.ts';
import type { GatewayHold } from './reasons.ts';
import type { GatewayApplied } from './status-schema.ts';

/** What every call about a gateway says of itself. */
interface Call {
  readonly pending?: readonly (keyof GatewayApplied)[];
  readonly changes: readonly FieldChange[];
  readonly cause?: ChangeCause;
  readonly repeats?: true;
  readonly silent?: true;
  readonly marks?: GatewayMarks;
}

/** A call that carries out fields: those of `applied` that hold once it was answered. */
type Carrying = { readonly fields: readonly (keyof GatewayApplied)[] } & (
  | {
      readonly do: 'updateSettings';
      readonly settings: GatewaySettings;
      readonly carries: readonly (keyof GatewayApplied)[];
      readonly clears?: readonly (keyof GatewayApplied)[];
    }
  /** `chatWebhook` is the URL whose digest `monitoring` has. */
  | {
      readonly do: 'setTrafficMonitoring';
      readonly monitoring: Monitoring;
      readonly chatWebhook: SecretValue | undefined;
    }
  | { readonly do: 'deleteTrafficMonitoring' }
  | { readonly do: 'setDNS'; readonly dns: DNSResolvers }
  | { readonly do: 'setSimRoutes'; readonly routes: readonly ResolvedRoute[] }
);

/** One that carries out none. */
type Other = { readonly fields?: never } & (
  | { readonly do: 'create'; readonly name: string; readonly planID: number }
  /** No call: the gateway an interrupted creation left was found, and the intent has done its duty. */
  | { readonly do: 'recognise'; readonly isOwn: boolean }
  /** Interim: more settings follow in the same plan, so the status goes on saying that a config is pending. */
  | { readonly do: 'config'; readonly isInterim?: true; readonly follows: true }
  | { readonly do: 'boot' }
  /** No call: the gateway runs, and whoever stops it later wants it so. */
  | { readonly do: 'noteStarted' }
  | { readonly do: 'stop' }
  | { readonly do: 'clearIP'; readonly simID: string }
  | { readonly do: 'unregister'; readonly simID: string }
  | { readonly do: 'delete' }
);

/** One call about a gateway. */
export type GatewayStep = Call & (Carrying | Other);

/** What is sent together, takes effect together, and is there before the gateway is started. */
const SETTINGS: ReadonlySet<GatewayStep['do']> = new Set(['updateSettings', 'config', 'boot']);

/** Whether a step of a plan is tried though one before it failed: SIM routes are refused before the first config. Pure. */
export function goesOn({ observed, details }: GatewayFacts, failed: GatewayStep, next: GatewayStep): boolean {
  if (failed.do === 'create') return false;
  if (!SETTINGS.has(failed.do)) return true;
  const isConfigured = observed?.settings !== undefined || (details.simRoutes ?? []).length > 0;
  return next.do === 'setSimRoutes' ? isConfigured : !SETTINGS.has(next.do);
}

/** What one aspect of the gateway adds to the plan. */
export type GatewayPart<Fields extends keyof GatewayApplied = keyof GatewayApplied> = Part<
  GatewayStep,
  Pick<GatewayApplied, Fields>,
  GatewayHold['reason']
>;
