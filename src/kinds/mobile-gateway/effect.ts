import type { Gateway, GatewaySettings } from '../../cloud/gateway/types.ts';

/**
 * The settings that took effect last, as far as this process knows. The service shows what was sent: where a request arrives
 * late, that is not what the gateway does, and wanting it again changes nothing but by `config` (`api.md`, Mobile gateway
 * operations).
 */
export interface SettingsInEffect {
  /** Undefined: nobody knows. What is seen first is taken to be in effect, unless `isPending`. */
  of(uid: string, gateway: Gateway, isPending: boolean): GatewaySettings | undefined;
  /** About to be sent, and once more when that was answered. */
  sent(uid: string, id: string, settings: GatewaySettings | undefined): void;
  /** What was sent last takes effect. */
  configured(uid: string): void;
  drop(uid: string): void;
}

interface Entry {
  readonly id: string;
  readonly settings: GatewaySettings;
}

export function createSettingsInEffect(): SettingsInEffect {
  const sent = new Map<string, Entry>();
  const inEffect = new Map<string, Entry>();
  return {
    of(uid, { id, settings }, isPending) {
      const known = inEffect.get(uid);
      if (known?.id === id) return known.settings;
      if (isPending) return undefined;
      const first = { id, settings: settings ?? {} };
      inEffect.set(uid, first);
      return first.settings;
    },
    sent(uid, id, settings) {
      if (settings) sent.set(uid, { id, settings });
      else sent.delete(uid);
    },
    configured(uid) {
      const last = sent.get(uid);
      sent.delete(uid);
      // Of what was there before, the next look tells what took effect.
      if (last) inEffect.set(uid, last);
      else inEffect.delete(uid);
    },
    drop(uid) {
      sent.delete(uid);
      inEffect.delete(uid);
    },
  };
}
