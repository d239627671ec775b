import { describe, expect, it } from 'vitest';
import { releasedUntil } from '../../../src/kinds/cloud-account/brake-hold.ts';
import { isAccepted } from '../../../src/kinds/cloud-account/losses.ts';
import { Annotation, momentOf } from '../../../src/reconcile/annotations.ts';
import { annotationWarnings, newWarnings, withWarnings } from '../../../src/reconcile/warnings.ts';

const NOW = Date.parse('2026-11-22T08:10:00Z');

function warnings(annotations: Record<string, string>, kind = 'Sim', labels: Record<string, string> = {}): string[] {
  const metadata = { name: 'truck-17', uid: 'u1', resourceVersion: '7', annotations, labels };
  return annotationWarnings({ apiVersion: 'v1', kind, metadata }, kind, NOW);
}

const unknown = (key: string, meant: string) =>
  `The annotation ${key} is not known, and does nothing: write edgeline.dev/${meant} if that is meant, or remove it.`;

describe('an annotation that is', () => {
  it.each([
    ['edgeline.dev/pausd', 'paused'],
    ['edgeline.dev/pause', 'paused'],
    ['edgeline.dev/Paused', 'paused'],
    ['edgeline.dev/reconcile', 'reconcile-at'],
    ['edgeline.dev/reconnect', 'reconnect-at'],
    ['edgeline.dev/abandoned', 'abandon'],
    ['edgeline.dev/accept-missing', 'accept-missing-until', 'CloudAccount'],
    ['edgeline.dev/release-sim', 'release-sims', 'MobileGateway'],
    ['edgline.dev/paused', 'paused'],
    ['edgeline.io/paused', 'paused'],
    ['paused', 'paused'],
  ])('misspelled, %s, is told with the one that is meant', (key, meant, kind = 'Sim') => {
    expect(warnings({ [key]: 'true' }, kind)).toEqual([unknown(key, meant)]);
  });

  const ofAll = 'edgeline.dev/paused, edgeline.dev/reconcile-at, edgeline.dev/abandon';
  const ofSim = `${ofAll}, edgeline.dev/release-deletions, edgeline.dev/approve, edgeline.dev/reconnect-at`;
  it.each([
    ['edgeline.dev/deletion-policy', 'Sim', ofSim],
    ['edgeline.dev/release-sim', 'WebAccelSite', `${ofAll}, edgeline.dev/approve`],
    ['edgeline.dev/suspend', 'Namespace', 'edgeline.dev/paused'],
  ])('unlike any other, %s on a %s, is told without a guess', (key, kind, have) => {
    expect(warnings({ [key]: 'true' }, kind)).toEqual([
      `The annotation ${key} is not known, and does nothing: remove it. A ${kind} has ${have}.`,
    ]);
  });

  it('misspelled and long is told by its beginning', () => {
    const key = `edgeline.dev/${'x'.repeat(300)}`;
    expect(warnings({ [key]: 'true' }, 'Namespace')).toEqual([
      `The annotation ${key.slice(0, 128)}… is not known, and does nothing: remove it. A Namespace has edgeline.dev/paused.`,
    ]);
  });

  it('one of thousands is told as one of the first three, and that there are more', () => {
    const many = Array.from({ length: 12_000 }, (_, number) => [`edgeline.dev/pause${10_000 + number}`, 'true']);
    expect(warnings(Object.fromEntries(many))).toEqual([
      unknown('edgeline.dev/pause10000', 'paused'),
      unknown('edgeline.dev/pause10001', 'paused'),
      unknown('edgeline.dev/pause10002', 'paused'),
      'More annotations than these are odd: correct these first.',
    ]);
  });

  it.each([
    ['no one’s but another’s', 'example.com/paused', 'true', 'Sim'],
    ['the chart’s', 'edgeline.dev/made-at-revision', '1', 'ClusterCloudAccount'],
    ['known', 'edgeline.dev/paused', 'yes', 'Namespace'],
    ['a switch', 'edgeline.dev/abandon', 'true', 'Sim'],
    ['a switch that is off', 'edgeline.dev/abandon', 'false', 'Sim'],
    ['a time', 'edgeline.dev/accept-missing-until', '2026-11-22T20:00:00Z', 'CloudAccount'],
    ['a time that is over', 'edgeline.dev/accept-missing-until', '2026-11-20T20:00:00Z', 'CloudAccount'],
  ])('%s is not told', (_, key, value, kind) => {
    expect(warnings({ [key]: value }, kind)).toEqual([]);
  });

  const none = ['2026-11-22', '11/22/2026', '5', '2026-11-22T08:00', '2026-11-22T08:00:00', '2026-11-22 08:00:00Z', ''];
  // Days and hours that there are not, which JavaScript reads as others.
  const unreal = ['2026-02-30T08:00:00Z', '2026-11-31T08:00:00+09:00', '2026-02-29T23:59:59Z', '2026-11-21T24:00:00Z'];
  it.each([...none, ...unreal])('no time with its zone, %j, is told, and opens nothing', (value) => {
    const [releases, accepts] = ['edgeline.dev/release-deletions', 'edgeline.dev/accept-missing-until'];
    const metadata = { name: 'truck-17', uid: 'u1', resourceVersion: '7', annotations: { [releases]: value } };
    expect(warnings({ [releases]: value, [accepts]: value }, 'CloudAccount')).toEqual([
      `${accepts} is "${value}", which is not a time, and does nothing: write a time within the next day, in the form 2026-11-23T09:00:00Z.`,
      `${releases} is "${value}", which is not a time, and does nothing: write a time until now, in the form 2026-11-23T09:00:00Z: what was asked for up to then is let go.`,
    ]);
    expect(isAccepted(value, Date.parse(value) - 1000)).toBe(false);
    expect(releasedUntil('Deletion', [{ apiVersion: 'v1', kind: 'Sim', metadata }], NOW)).toBe(
      Number.NEGATIVE_INFINITY,
    );
  });

  it.each([
    '2026-11-22T08:10:00Z',
    '2026-11-22T17:10:00+09:00',
    '2026-11-22T08:10:00.000Z',
    '2026-11-21T23:10:00-09:00',
  ])('a time, %s, is the moment that it names', (value) => {
    const metadata = {
      name: 'truck-17',
      uid: 'u1',
      resourceVersion: '7',
      annotations: { [Annotation.releaseDeletions]: value },
    };
    expect(releasedUntil('Deletion', [{ apiVersion: 'v1', kind: 'Sim', metadata }], NOW)).toBe(NOW);
  });

  it('the 29th of February is one where there is one', () => {
    expect([momentOf('2028-02-29T00:00:00Z'), momentOf('2027-02-29T00:00:00Z')]).toEqual([
      Date.UTC(2028, 1, 29),
      Number.NaN,
    ]);
  });

  it.each([
    [
      'edgeline.dev/abandon',
      'yes',
      'Sim',
      'edgeline.dev/abandon is "yes", which does nothing: write "true" if it is meant, or remove it.',
    ],
    [
      'edgeline.dev/release-sims',
      'True',
      'MobileGateway',
      'edgeline.dev/release-sims is "True", which does nothing: write "true" if it is meant, or remove it.',
    ],
    [
      'edgeline.dev/release-sims',
      'true',
      'Sim',
      'edgeline.dev/release-sims does nothing on a Sim, only on a MobileGateway: remove it.',
    ],
    [
      'edgeline.dev/release-deletions',
      'true',
      'CloudAccount',
      'edgeline.dev/release-deletions is "true", which is not a time, and does nothing: write a time until now, in the form 2026-11-23T09:00:00Z: what was asked for up to then is let go.',
    ],
    [
      'edgeline.dev/release-creations',
      '2099-01-01T00:00:00Z',
      'MobileGateway',
      'edgeline.dev/release-creations is "2099-01-01T00:00:00Z", more than an hour ahead: it does nothing until an hour before, and then lets go of all that is held. Remove it, or write a time until now, in the form 2026-11-23T09:00:00Z: what was asked for up to then is let go.',
    ],
    [
      'edgeline.dev/release-creations',
      '2026-01-01T00:00:00Z',
      'Sim',
      'edgeline.dev/release-creations does nothing on a Sim, only on a MobileGateway, CloudAccount, ClusterCloudAccount: remove it.',
    ],
    [
      'edgeline.dev/abandon',
      'true',
      'CloudAccount',
      'edgeline.dev/abandon does nothing on a CloudAccount, only on a Sim, MobileGateway, WebAccelSite, SiteCertificate: remove it.',
    ],
    [
      'edgeline.dev/accept-missing-until',
      'tomorrow',
      'CloudAccount',
      'edgeline.dev/accept-missing-until is "tomorrow", which is not a time, and does nothing: write a time within the next day, in the form 2026-11-23T09:00:00Z.',
    ],
    [
      'edgeline.dev/accept-missing-until',
      '2027-01-01T00:00:00Z',
      'CloudAccount',
      'edgeline.dev/accept-missing-until is "2027-01-01T00:00:00Z", more than a day ahead: it does nothing until about a day before, and then accepts all that is missing. Remove it, or write a time within the next day, in the form 2026-11-23T09:00:00Z.',
    ],
  ])('%s: %s on a %s is told', (key, value, kind, told) => {
    expect(warnings({ [key]: value }, kind)).toEqual([told]);
  });

  it('a label by mistake is told', () => {
    expect(warnings({}, 'Sim', { 'edgeline.dev/paused': 'true' })).toEqual([
      'edgeline.dev/paused is a label here, and does nothing: set it as an annotation.',
    ]);
  });
});

describe('a warning', () => {
  const ready = { type: 'Ready', status: 'True', reason: 'Available', message: 'It works.' } as const;
  const synced = { ...ready, type: 'Synced' } as const;

  it('stands in the message of Ready, once', () => {
    const once = withWarnings([ready, synced], ['Odd.', 'Very odd.']);
    expect(once).toEqual([{ ...ready, message: 'It works. Warning: Odd. Warning: Very odd.' }, synced]);
    expect(withWarnings(once, ['Odd.'])).toEqual(once);
  });

  it('is news as long as no condition tells it', () => {
    const told = { ...ready, message: 'It works. Warning: Odd.', lastTransitionTime: '', observedGeneration: 1 };
    expect([newWarnings(undefined, ['Odd.']), newWarnings([told], ['Odd.', 'New.'])]).toEqual([['Odd.'], ['New.']]);
  });
});
