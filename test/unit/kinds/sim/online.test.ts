import { describe, expect, it } from 'vitest';
import { durationMilliseconds } from '../../../../src/duration.ts';
import { onlineVerdict, sessionDownSince, silentAt } from '../../../../src/kinds/sim/online.ts';

const SINCE = '2026-11-20T00:00:00Z';
const IMEI = '356938035643809';
const active = { activated: true, registered: true };
const up = { ...active, sessionStatus: 'UP', connectedIMEI: IMEI };
const down = { ...active, sessionStatus: 'DOWN' };
const hourly = { expectOnlineWithin: '1h' };

describe('whether a SIM is online', () => {
  it.each([
    ['nobody asked', {}, down, SINCE, '05:00', undefined],
    ['it has a session', hourly, up, undefined, '05:00', 'True Online'],
    ['in small letters', hourly, { ...up, sessionStatus: 'up' }, undefined, '05:00', 'True Online'],
    ['it had one a moment ago', hourly, down, SINCE, '00:59', 'True Online'],
    ['it had none for the time', hourly, down, SINCE, '01:00', 'False Silent'],
    ['it is not active', hourly, { ...down, activated: false }, SINCE, '00:01', 'False Offline'],
    ['the service does not say', hourly, active, undefined, '00:01', 'Unknown SessionUnknown'],
    ['the service says it no more', hourly, active, SINCE, '02:00', 'False Silent'],
    ['another device has it', { imeiLock: '490154203237518' }, up, undefined, '00:01', 'False UnexpectedDevice'],
    ['its device has it', { imeiLock: IMEI }, up, undefined, '00:01', undefined],
    ['its device has it, with another check digit', { imeiLock: IMEI.slice(0, 14) }, up, undefined, '00:01', undefined],
    ['its device has it, as expected', { ...hourly, imeiLock: IMEI }, up, undefined, '00:01', 'True Online'],
    ['no device has it', { imeiLock: IMEI }, down, undefined, '00:01', undefined],
  ])('%s', (_, spec, observed, since, time, expected) => {
    const verdict = onlineVerdict(spec, observed, since, Date.parse(`2026-11-20T${time}:00Z`));
    expect(verdict && `${verdict.status} ${verdict.reason}`).toBe(expected);
  });

  it.each([
    ['has one', up, undefined, 'The SIM has a session.'],
    [
      'had none for a while',
      down,
      SINCE,
      `The SIM has no session, and was seen without one since ${SINCE}. Up to 1h of that is expected.`,
    ],
    ['is active again', down, undefined, 'The SIM has no session. Up to 1h of that is expected.'],
  ])('is told as it is where it %s', (_, observed, since, message) => {
    const now = Date.parse('2026-11-20T00:30:00Z');
    expect(onlineVerdict(hourly, observed, since, now)).toEqual({
      status: 'True',
      reason: 'Online',
      message,
    });
  });

  it.each([
    [down, 'See whether its device has power and reception; kubectl edgeline sim logs shows what befell the session.'],
    [{ ...down, registered: false }, 'It is on no gateway, without which it has no session: write gatewayRef.'],
  ])('says what may be the reason: %o', (observed, advice) => {
    expect(onlineVerdict(hourly, observed, SINCE, Date.parse('2026-11-20T02:00:00Z'))).toEqual({
      status: 'False',
      reason: 'Silent',
      message: `The SIM has been seen without a session since ${SINCE}, and expectOnlineWithin is 1h. ${advice}`,
    });
  });

  it.each([
    ['was seen down first now', hourly, down, undefined, '2026-11-20T03:00:00Z'],
    ['was down before', hourly, down, SINCE, SINCE],
    ['is up', hourly, up, SINCE, undefined],
    ['is not shown, and was down', hourly, active, SINCE, SINCE],
    ['is not shown', hourly, active, undefined, undefined],
    ['is none because the SIM is not active', hourly, { ...down, activated: false }, SINCE, undefined],
    ['is nobody’s concern', {}, down, SINCE, undefined],
  ])('a session that %s', (_, spec, observed, recorded, since) => {
    expect(sessionDownSince(spec, observed, recorded, Date.parse('2026-11-20T03:00:00Z'))).toBe(since);
  });

  it('is looked at again when the time is over', () => {
    expect(silentAt({ expectOnlineWithin: '1d2h' }, SINCE)).toBe(Date.parse('2026-11-21T02:00:00Z'));
    expect(silentAt(hourly, undefined)).toBeUndefined();
  });
});

describe('a duration', () => {
  it.each([
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['45s', 45_000],
    ['', undefined],
    ['0m', undefined],
    ['1 h', undefined],
    ['h', undefined],
  ])('%s', (text, milliseconds) => {
    expect(durationMilliseconds(text)).toBe(milliseconds);
  });
});
