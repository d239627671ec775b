import { describe, expect, it } from 'vitest';
import { hourOf, type Keyed } from '../../../../src/cli/service/hour.ts';
import { type Allotment, allotmentOf } from '../../../../src/kinds/cloud-account/allotments.ts';
import { type Budget, closingOf, signatureOf } from '../../../../src/kinds/cloud-account/record.ts';
import { timestamp } from '../../../../src/kubernetes/objects.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const minute = 60_000;
const ago = (minutes: number) => timestamp(now - minutes * minute);
const signer = { identity: 'token', digest: (text: string) => Buffer.from(text).toString('base64url').padEnd(43, '-') };
const stranger = { ...signer, identity: 'another token' };
const limits = { webAccelRequestsPerHour: 500 };

interface Had {
  readonly budget?: Partial<Budget>;
  readonly signedBy?: typeof signer;
  /** Written by who may write the status, and no more. */
  readonly forged?: Partial<Budget>;
  readonly asked?: readonly Allotment[];
  /** For so many minutes more the service wants nothing. */
  readonly closedMinutes?: number;
  readonly createdMinutesAgo?: number;
}

function account(
  name: string,
  { budget, signedBy = signer, forged, asked, closedMinutes, createdMinutesAgo = 600 }: Had,
): Keyed {
  const key = `CloudAccount/fleet/${name}`;
  const record = { used: 0, limit: 500, recordedAt: ago(1), ...budget };
  return {
    key,
    account: {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: {
        name,
        namespace: 'fleet',
        uid: name,
        resourceVersion: '1',
        creationTimestamp: ago(createdMinutesAgo),
      },
      spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'service-credentials' } },
      status: {
        ...(budget && { budget: { ...record, identity: signatureOf(key, signedBy, record), ...forged } }),
        ...(asked && { allotments: [...asked] }),
        ...(closedMinutes !== undefined && { closed: closingOf(key, signedBy, now + closedMinutes * minute) }),
      },
    },
  };
}

const asking = (name: string, requests: number, minutesAgo = 1) =>
  allotmentOf(`CloudAccount/fleet/${name}`, signer, { id: name, requests, at: now - minutesAgo * minute });

describe('the room that a command has in the hour', () => {
  it.each<[string, Had, { spent: number | undefined; room: number }]>([
    ['is what the reads have', { budget: { used: 100 } }, { spent: 100, room: 350 }],
    ['leaves what the operator may send at once', { budget: { used: 100, reserved: 42 } }, { spent: 142, room: 308 }],
    [
      'leaves what other commands asked for',
      { budget: { used: 100 }, asked: [asking('own', 50)] },
      { spent: 150, room: 300 },
    ],
    ['ends at what is kept for changes', { budget: { used: 470 } }, { spent: 470, room: 0 }],
    ['follows the limit of the account', { budget: { used: 10, limit: 60 } }, { spent: 10, room: 44 }],
    [
      'is whole again after an hour',
      { budget: { used: 400, reserved: 40, recordedAt: ago(70) } },
      { spent: 0, room: 450 },
    ],
    [
      'counts for minutes more what was reserved',
      { budget: { used: 400, reserved: 40, recordedAt: ago(63) } },
      { spent: 40, room: 410 },
    ],
    [
      'counts a record of no time as of now',
      { budget: { used: 400, recordedAt: 'no time' } },
      { spent: 400, room: 50 },
    ],
    ['forgets what was asked for long ago', { budget: {}, asked: [asking('own', 50, 67)] }, { spent: 0, room: 450 }],
    ['is none while the service wants nothing', { budget: { used: 1 }, closedMinutes: 20 }, { spent: 1, room: 0 }],
    ['is there again once that is over', { budget: { used: 1 }, closedMinutes: -1 }, { spent: 1, room: 449 }],
    [
      'is not closed by who has another token',
      { budget: { used: 1 }, signedBy: stranger, closedMinutes: 20, createdMinutesAgo: 600 },
      { spent: 0, room: 450 },
    ],
    ['is whole where an account of long ago has no record', {}, { spent: 0, room: 450 }],
    ['is not known where a new account has no record', { createdMinutesAgo: 30 }, { spent: undefined, room: 0 }],
    [
      'is not known from a record that somebody changed',
      { budget: { used: 1 }, forged: { limit: 1 }, createdMinutesAgo: 30 },
      { spent: undefined, room: 0 },
    ],
    [
      'is not known from the record of another token',
      { budget: { used: 1 }, signedBy: stranger, createdMinutesAgo: 30 },
      { spent: undefined, room: 0 },
    ],
  ])('%s', (_, had, expected) => {
    const { spent, room } = hourOf(account('own', had), [], signer, limits, now);
    expect({ spent, room }).toEqual(expected);
  });

  it('is what the newest record of all accounts with the token leaves, less what was asked for in any of them', () => {
    const others = [
      account('twin', { budget: { used: 200, reserved: 10, recordedAt: ago(0) }, asked: [asking('twin', 20)] }),
      account('stranger', { budget: { used: 499 }, signedBy: stranger, asked: [asking('own', 20)] }),
    ];
    expect(hourOf(account('own', { budget: { used: 150 } }), others, signer, limits, now)).toMatchObject({
      spent: 230,
      room: 220,
    });
  });
});
