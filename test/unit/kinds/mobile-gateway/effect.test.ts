import { describe, expect, test } from 'vitest';
import { createSettingsInEffect, gatewayKey } from '../../../../src/kinds/mobile-gateway/effect.ts';

const key = gatewayKey({ identity: 'account' }, '113300002001');
const on = { internetConnection: true };
const off = { internetConnection: false };
const shows = (settings: object) => ({ settings });
let now = 0;
const clock = { monotonic: () => now };

describe('the settings in effect', () => {
  test('are those that are seen first, unless some are pending', () => {
    const inEffect = createSettingsInEffect(clock);
    expect(inEffect.of(key, shows(on), true)).toBeUndefined();
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
  });

  test('are not those that were sent and not configured, nor one of before that arrives late', () => {
    const inEffect = createSettingsInEffect(clock);
    inEffect.of(key, shows({}), false);
    inEffect.sends(key, on);
    inEffect.sent(key, on);
    expect(inEffect.of(key, shows(on), false)).toEqual({});
    inEffect.configured(key);
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
    inEffect.sends(key, off);
    inEffect.sent(key, off);
    inEffect.configured(key);
    expect(inEffect.of(key, shows(on), false)).toEqual(off);
  });

  test('are nobody’s guess where the last request got no answer, until they are seen', () => {
    const inEffect = createSettingsInEffect(clock);
    inEffect.of(key, shows({}), false);
    inEffect.sends(key, on);
    inEffect.configured(key);
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
  });

  test('are nobody’s guess either where one before it was answered', () => {
    const inEffect = createSettingsInEffect(clock);
    inEffect.sends(key, on);
    inEffect.sent(key, on);
    inEffect.sends(key, off);
    inEffect.configured(key);
    expect(inEffect.privateInterfaceOf(key)).toBeUndefined();
    expect(inEffect.of(key, shows(off), false)).toEqual(off);
  });

  test('are what somebody else set, which this process never sent', () => {
    const inEffect = createSettingsInEffect(clock);
    inEffect.of(key, shows({}), false);
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
  });

  test('are what somebody else set, which this process sent long ago', () => {
    const inEffect = createSettingsInEffect(clock);
    for (const settings of [on, off]) {
      inEffect.sends(key, settings);
      inEffect.sent(key, settings);
      inEffect.configured(key);
      now += 3_600_000;
    }
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
  });

  test('have a private interface of which nobody knows while another was sent, and may have taken effect', () => {
    const inEffect = createSettingsInEffect(clock);
    const [one, other] = ['10.0.0.1', '10.9.0.1'].map((ipAddress) => ({
      privateInterface: { ipAddress, networkMaskLength: 24 },
    }));
    expect(inEffect.privateInterfaceOf(key)).toBeUndefined();
    inEffect.of(key, shows({}), false);
    expect(inEffect.privateInterfaceOf(key)).toBeNull();
    for (const settings of [one, { ...one, ...on }, other, one]) {
      inEffect.sends(key, settings ?? {});
      inEffect.sent(key, settings ?? {});
      if (settings === one) inEffect.configured(key);
      const isKnown = settings !== other;
      expect(inEffect.privateInterfaceOf(key)).toEqual(isKnown ? one?.privateInterface : undefined);
    }
  });

  test('are of one gateway of one account', () => {
    const inEffect = createSettingsInEffect(clock);
    inEffect.of(key, shows(on), false);
    expect(inEffect.of(gatewayKey({ identity: 'other' }, '113300002001'), shows(off), false)).toEqual(off);
    expect(inEffect.of(key, shows(on), false)).toEqual(on);
  });
});
