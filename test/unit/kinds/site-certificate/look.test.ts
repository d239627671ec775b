import { expect, test } from 'vitest';
import { type Look, lookBefore, type Sighting } from '../../../../src/kinds/site-certificate/look.ts';

const NEVER = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
const NOW = 1000_000;
/** May arrive for ten seconds more. */
const HELD = { from: NOW - 5000, until: NOW + 10_000 };
const LANDED = { from: NOW - 5000, until: NOW - 1000 };

const current = {
  id: '1',
  dnsNames: [],
  fingerprint: 'one',
  chain: 'chain',
  notBefore: 0,
  notAfter: 1,
  serialNumber: '1',
  subject: '',
  issuer: '',
};
const read = { source: 'read', isFresh: false, at: NOW - 60_000, value: { current, previous: undefined } } as const;
const readFor = (wanted: string) => ({ ...read, value: { ...read.value, readFor: wanted } });
const readNow = { ...readFor('two chain'), at: NOW - 10 };

/** What is there is what is wanted, and nothing is on its way. */
function look(sighting: Partial<Sighting>): Look | undefined {
  return lookBefore({
    known: read,
    wanted: 'one chain',
    isOther: false,
    writes: true,
    arrivals: NEVER,
    unanswered: NEVER,
    isPending: false,
    isOvertaken: false,
    isContradicted: false,
    isAsked: false,
    isDue: false,
    now: NOW,
    ...sighting,
  });
}

const renewed = { wanted: 'two chain', isOther: true } as const;
const before = { do: 'read', lane: 'upload', mayHaveArrived: false, unchanged: false } as const;
const doubt = { do: 'read', lane: 'verify', mayHaveArrived: true, unchanged: false, readFor: 'one chain' } as const;
const again = { do: 'read', mayHaveArrived: false, unchanged: true, readFor: 'one chain' } as const;

test.each<[string, Partial<Sighting>, Look | undefined]>([
  ['is as the Secret has it', {}, undefined],
  ['gets another, and was looked at for it', { ...renewed, known: readFor('two chain') }, undefined],
  ['gets another, and was not looked at', renewed, { ...before, readFor: 'two chain' }],
  [
    'gets another, and was looked at for one before',
    { ...renewed, known: readFor('1') },
    { ...before, readFor: 'two chain' },
  ],
  ['gets another, of which nothing is known', { ...renewed, known: undefined }, { ...before, readFor: 'two chain' }],
  [
    'got one of another resource since',
    { ...renewed, known: readNow, isOvertaken: true },
    { ...before, readFor: 'two chain' },
  ],
  ['is only to be observed', { ...renewed, writes: false }, undefined],
  ['gets another while one may arrive', { ...renewed, arrivals: HELD }, { ...before, readFor: undefined }],
  [
    'was looked at a moment ago while one may arrive',
    { ...renewed, known: readNow, arrivals: HELD },
    { do: 'wait', milliseconds: 10_000, until: 'to be sent' },
  ],
  [
    'was looked at before one may have arrived',
    { ...renewed, known: { ...readFor('two chain'), at: NOW - 2000 }, arrivals: LANDED },
    { ...before, readFor: 'two chain' },
  ],
  [
    'is right, but what was sent may still arrive',
    { unanswered: HELD, arrivals: HELD },
    { do: 'wait', milliseconds: 10_000, until: 'there' },
  ],
  ['is right, and what was sent has arrived or not', { unanswered: LANDED, arrivals: LANDED }, doubt],
  [
    'is right as recorded, with something sent that is not on record',
    { known: { ...read, source: 'recorded' }, isPending: true },
    doubt,
  ],
  [
    'is right as answered, but one before may arrive',
    { known: { ...read, source: 'answered' }, arrivals: LANDED },
    doubt,
  ],
  [
    'is only to be observed, and doubtful',
    { writes: false, unanswered: LANDED, arrivals: LANDED },
    { ...doubt, readFor: undefined },
  ],
  ['is another in the list', { isContradicted: true }, { ...again, lane: 'list', unchanged: false }],
  ['is to be looked at in turn', { isDue: true }, { ...again, lane: 'audit' }],
  ['is to be looked at for a person', { isDue: true, isAsked: true }, { ...again, lane: 'list' }],
  [
    'is recorded without its chain',
    { known: { ...read, source: 'recorded', value: { ...read.value, current: { ...current, chain: undefined } } } },
    { ...again, lane: 'audit' },
  ],
  [
    'is not known, and wants nothing',
    { known: undefined, wanted: undefined },
    { ...again, lane: 'list', readFor: undefined, unchanged: false },
  ],
])('a site that %s', (_, sighting, expected) => {
  expect(look(sighting)).toEqual(expected);
});
