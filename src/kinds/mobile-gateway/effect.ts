import type { Clock } from '../../clock.ts';
import type { Gateway, GatewaySettings, PrivateInterface } from '../../cloud/gateway/types.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import { isSame, isSameWhole } from './whole-settings.ts';

/** So many of the settings that were sent last are known: what arrives late is one of them. */
const MOST_SENT = 8;
/** What took effect, or was followed by what did, does not arrive after so long any more. Milliseconds. */
const LATE_MILLISECONDS = 10 * 60_000;

/**
 * The settings that took effect last, as far as this process knows, whichever resource sent them. The service shows what was
 * sent: where a request arrives late, that is not what the gateway does, and wanting it again changes nothing but by `config`
 * (`api.md`, Mobile gateway operations). `key`: an account and the ID of a gateway of it.
 */
export interface SettingsInEffect {
  /**
   * Undefined: nobody knows. What is seen first is taken to be in effect, unless `isPending`, and so is what others set: who
   * changes settings by hand puts them into effect.
   */
  of(key: string, gateway: Pick<Gateway, 'settings'>, isPending: boolean): GatewaySettings | undefined;
  /**
   * The private interface in effect, null: none; undefined: nobody knows, as while another was sent that `config` may have put
   * into effect without an answer.
   */
  privateInterfaceOf(key: string): PrivateInterface | null | undefined;
  /** About to be sent. */
  sends(key: string, settings: GatewaySettings): void;
  /** That was answered. */
  sent(key: string, settings: GatewaySettings): void;
  /** What was sent last takes effect. */
  configured(key: string): void;
  /** The gateway is gone. */
  drop(key: string): void;
}

/** What tells a gateway from all others, whatever resource has it. */
export function gatewayKey({ identity }: Pick<AccountSession, 'identity'>, id: string): string {
  return `${identity} ${id}`;
}

interface Sent {
  readonly settings: GatewaySettings;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** `config` was carried out since. */
  readonly isOver: boolean;
}

interface State {
  /** The last one last. */
  readonly sent: readonly Sent[];
  /** What `config` puts into effect; undefined: one of several, and nobody knows which. */
  readonly next?: GatewaySettings | undefined;
  readonly inEffect?: GatewaySettings | undefined;
}

export function createSettingsInEffect({ monotonic }: Pick<Clock, 'monotonic'>): SettingsInEffect {
  const states = new Map<string, State>();
  const stateOf = (key: string): State => states.get(key) ?? { sent: [] };
  return {
    of(key, { settings = {} }, isPending) {
      const state = stateOf(key);
      const mayArrive = ({ isOver, at }: Sent) => !isOver || at > monotonic() - LATE_MILLISECONDS;
      const isOwn = state.sent.some((one) => mayArrive(one) && isSameWhole(one.settings, settings));
      if (!isPending && (state.inEffect === undefined || !isOwn)) states.set(key, { ...state, inEffect: settings });
      return stateOf(key).inEffect;
    },
    privateInterfaceOf(key) {
      const { inEffect, sent } = stateOf(key);
      if (!inEffect) return undefined;
      const mayBe = sent.flatMap(({ settings, isOver }) => (isOver ? [] : [settings.privateInterface ?? null]));
      const is = inEffect.privateInterface ?? null;
      return mayBe.every((one) => isSame(one, is)) ? is : undefined;
    },
    sends(key, settings) {
      const state = stateOf(key);
      const one = { settings, at: monotonic(), isOver: false };
      states.set(key, { ...state, sent: [...state.sent, one].slice(-MOST_SENT), next: undefined });
    },
    sent(key, settings) {
      states.set(key, { ...stateOf(key), next: settings });
    },
    configured(key) {
      const { sent, next } = stateOf(key);
      // Of what was there before, or sent by a process before, the next look tells what took effect.
      states.set(key, { sent: sent.map((one) => ({ ...one, isOver: true })), inEffect: next });
    },
    drop: (key) => void states.delete(key),
  };
}
