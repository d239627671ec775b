import type { Carrier } from '../../cloud/sim/types.ts';
import type { ChangeCause, FieldChange } from '../../reconcile/change.ts';
import type { MarksOf } from '../../reconcile/managed-object.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { Part } from '../common/combine.ts';
import type { GatewayAddress } from './facts.ts';
import type { SimHold } from './reasons.ts';
import type { Sim, SimApplied, SimMark } from './schema.ts';

/** What every call about a SIM says of itself. */
interface Call {
  readonly pending?: readonly string[];
  readonly changes: readonly FieldChange[];
  readonly because?: readonly (keyof SimApplied)[];
  readonly clears?: readonly (keyof SimApplied)[];
  readonly cause?: ChangeCause;
  /** It is only what another step takes. */
  readonly follows?: true;
  readonly silent?: true;
}

/** A call that carries out fields: those of `applied` that hold once it was answered. */
type Carrying = { readonly fields: readonly (keyof SimApplied)[] } & (
  | { readonly do: 'create'; readonly name: string; readonly iccid: string; readonly passCode: SecretValue }
  | { readonly do: 'rename'; readonly name: string }
  /** With the countries as they were observed, which are not sent. `unshown`: those of the spec that the SIM does not show. */
  | { readonly do: 'setCarriers'; readonly carriers: readonly Carrier[]; readonly unshown: readonly string[] }
  | { readonly do: 'activate' }
  | { readonly do: 'deactivate' }
  | { readonly do: 'unregister'; readonly gateway: GatewayAddress }
  | { readonly do: 'register'; readonly gateway: GatewayAddress }
  /** `holder`: who has the address and keeps it, as far as that is known; the service refuses then. */
  | { readonly do: 'setIP'; readonly ip: string; readonly holder?: string | undefined }
  | { readonly do: 'lockIMEI'; readonly imei: string }
  | { readonly do: 'unlockIMEI' }
);

/** One that carries out none, or only where it is not for the sake of another. */
type Other = { readonly fields?: readonly (keyof SimApplied)[] } & (
  | { readonly do: 'clearIP' }
  /** Noted only: asked for before the SIM was taken over. */
  | { readonly do: 'noteReconnect'; readonly at: string; readonly marks: MarksOf<Sim, SimMark> }
  | { readonly do: 'reconnect'; readonly at: string }
  | { readonly do: 'delete' }
);

/** One call about a SIM. */
export type SimStep = Call & (Carrying | Other);

/** Whether a step takes the SIM out of service. Pure. */
export function interrupts({ do: what }: SimStep): boolean {
  return what === 'clearIP' || what === 'unregister' || what === 'deactivate';
}

/** They need one another: what is done by halves takes the SIM out of service. */
const PLACE: ReadonlySet<SimStep['do']> = new Set(['clearIP', 'unregister', 'register', 'setIP', 'reconnect']);

/** Whether it gives up its address and gets none in the same plan, as where it makes room for others. */
function losesAddress(steps: readonly SimStep[]): boolean {
  const has = (what: SimStep['do']) => steps.some((step) => step.do === what);
  return steps.some(({ cause }) => cause === 'MakesRoom') || (has('clearIP') && has('register') && !has('setIP'));
}

/**
 * Whether a step of a plan is tried though one before it failed. A SIM is activated only with its carriers, comes into a
 * network only with its IMEI lock, and gives up its address for a later one only if nothing else is in its way. Pure.
 */
export function goesOn(steps: readonly SimStep[], failed: SimStep, next: SimStep): boolean {
  if (failed.do === 'create' || (PLACE.has(next.do) && losesAddress(steps))) return false;
  if (PLACE.has(failed.do)) return !PLACE.has(next.do);
  if (failed.do === 'setCarriers') return next.do !== 'activate';
  if (failed.do !== 'lockIMEI') return true;
  return !PLACE.has(next.do) || !steps.some((step) => step.do === 'register');
}

/** What a SIM is in no service without, and what sets the same again. */
const SETS_AGAIN = { deactivate: 'activate', unregister: 'register' } as const;

/** Whether steps take the SIM out of service for good. Pure. */
export function takesAway(steps: readonly SimStep[]): boolean {
  return Object.entries(SETS_AGAIN).some(
    ([away, again]) =>
      steps.findLastIndex((step) => step.do === away) > steps.findLastIndex((step) => step.do === again),
  );
}

/** What one aspect of the SIM adds to the plan. */
export type SimPart<Fields extends keyof SimApplied = keyof SimApplied> = Part<
  SimStep,
  Pick<SimApplied, Fields>,
  SimHold['reason']
>;
