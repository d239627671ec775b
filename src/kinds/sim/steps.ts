import type { Carrier } from '../../cloud/sim/types.ts';
import type { Drift, Hold, Marks } from '../../reconcile/kind.ts';
import type { GatewayAddress } from './facts.ts';
import type { SimApplied } from './schema.ts';

/** One call about a SIM. `fields` are those of `applied` that hold once it was answered. */
export type SimStep = {
  readonly fields?: readonly (keyof SimApplied)[];
  readonly pending?: readonly string[];
  /** It is only what another step takes. */
  readonly follows?: true;
} & (
  | { readonly do: 'create'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'setCarriers'; readonly carriers: readonly Carrier[] }
  | { readonly do: 'activate' }
  | { readonly do: 'deactivate' }
  | { readonly do: 'clearIP' }
  | { readonly do: 'unregister'; readonly gateway: GatewayAddress }
  | { readonly do: 'register'; readonly gateway: GatewayAddress }
  | { readonly do: 'setIP'; readonly ip: string }
  | { readonly do: 'lockIMEI'; readonly imei: string }
  | { readonly do: 'unlockIMEI' }
  /** Noted only: asked for before the SIM was taken over. */
  | { readonly do: 'noteReconnect'; readonly at: string; readonly marks: Marks }
  | { readonly do: 'reconnect'; readonly at: string }
  | { readonly do: 'delete' }
);

/** What one aspect of the SIM adds to the plan. */
export interface Part {
  readonly steps?: readonly SimStep[];
  readonly drift?: readonly Drift[];
  readonly applied?: SimApplied;
  readonly hold?: Hold;
  readonly unsynced?: { readonly reason: string; readonly message: string };
  readonly warnings?: readonly string[];
}
