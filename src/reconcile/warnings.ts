import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import { distance, meantOf } from '../text.ts';
import { Annotation, LONGEST_ACCEPTED_MILLISECONDS, LONGEST_RELEASED_MILLISECONDS, momentOf } from './annotations.ts';
import type { Verdict } from './conditions.ts';
import { managedKindNames } from './kind-names.ts';

const DOMAIN = 'edgeline.dev';
type Known = (typeof Annotation)[keyof typeof Annotation];
const known: readonly Known[] = Object.values(Annotation);
const isKnown = (key: string): key is Known => known.some((one) => one === key);
const nameOf = (key: string) => key.slice(DOMAIN.length + 1);
const names = known.map(nameOf);
/** What the chart notes on an account it made. */
const OF_THE_CHART = 'edgeline.dev/made-at-revision';
/** More than this many wrong letters are another domain. */
const TYPING_ERRORS = 3;

const ACCOUNTS = ['CloudAccount', 'ClusterCloudAccount'];

/** The kinds an annotation means something on; one without a row does not compile. */
const KINDS: Readonly<Record<Known, readonly string[]>> = {
  [Annotation.paused]: [...managedKindNames, ...ACCOUNTS, 'Namespace'],
  [Annotation.reconcileAt]: [...managedKindNames, ...ACCOUNTS],
  [Annotation.abandon]: managedKindNames,
  [Annotation.acceptMissingUntil]: ACCOUNTS,
  [Annotation.releaseDeletions]: ['Sim', 'MobileGateway', ...ACCOUNTS],
  [Annotation.releaseCreations]: ['MobileGateway', ...ACCOUNTS],
  [Annotation.releaseSims]: ['MobileGateway'],
  [Annotation.approve]: managedKindNames,
  [Annotation.reconnectAt]: ['Sim'],
};

/** Annotations that only the word "true" switches on: what they do cannot be taken back. */
const SWITCHES: ReadonlySet<string> = new Set([Annotation.abandon, Annotation.releaseSims]);

/** Annotations that let go what the brakes hold. */
const RELEASES: ReadonlySet<string> = new Set([Annotation.releaseDeletions, Annotation.releaseCreations]);

/** So many odd annotations are named: nobody reads more, a condition has no room for them, and each is an event. */
const MOST_WARNINGS = 3;
const MORE = 'More annotations than these are odd: correct these first.';
/** Characters of a key that a sentence shows. */
const LONGEST_KEY_CHARACTERS = 128;

/**
 * What is odd about the annotations of an object of this kind, a sentence each, in the order of their names: one that is
 * misspelled does nothing, and nobody would know. Of thousands the first few are reported, and that there are more. `now` is
 * milliseconds since the epoch. Pure.
 */
export function annotationWarnings({ metadata }: KubernetesObject, kind: string, now: number): string[] {
  const { annotations = {}, labels = {} } = metadata;
  const reported: string[] = [];
  for (const key of Object.keys(annotations).toSorted()) {
    const oddity = oddityOf(key, annotations[key] ?? '', kind, now);
    if (oddity === undefined) continue;
    reported.push(reported.length < MOST_WARNINGS ? oddity : MORE);
    if (reported.length > MOST_WARNINGS) break;
  }
  const mistaken = known.filter((key) => key in labels);
  return [
    ...reported,
    ...mistaken.toSorted().map((key) => `${key} is a label here, and does nothing: set it as an annotation.`),
  ];
}

function oddityOf(key: string, value: string, kind: string, now: number): string | undefined {
  if (key === OF_THE_CHART) return undefined;
  if (!isKnown(key)) return misspelled(key, kind);
  const kinds = KINDS[key];
  if (!kinds.includes(kind)) return `${key} does nothing on a ${kind}, only on a ${kinds.join(', ')}: remove it.`;
  const shown = `${key} is "${value.slice(0, 64)}"`;
  if (SWITCHES.has(key) && value !== 'true' && value !== 'false') {
    return `${shown}, which does nothing: write "true" if it is meant, or remove it.`;
  }
  if (key === Annotation.acceptMissingUntil) return oddTime(shown, value, now);
  return RELEASES.has(key) ? oddRelease(shown, value, now) : undefined;
}

/** What was asked for later stays held, so one of long ago does no harm. */
function oddRelease(shown: string, value: string, now: number): string | undefined {
  const time = momentOf(value);
  const example = 'write a time until now, in the form 2026-11-23T09:00:00Z: what was asked for up to then is let go';
  if (Number.isNaN(time)) return `${shown}, which is not a time, and does nothing: ${example}.`;
  return time > now + LONGEST_RELEASED_MILLISECONDS
    ? `${shown}, more than an hour ahead: it does nothing until an hour before, and then lets go of all that is held. Remove it, or ${example}.`
    : undefined;
}

/** A word that was good once and is over stays where it is without harm. */
function oddTime(shown: string, value: string, now: number): string | undefined {
  const until = momentOf(value);
  const example = 'write a time within the next day, in the form 2026-11-23T09:00:00Z';
  if (Number.isNaN(until)) return `${shown}, which is not a time, and does nothing: ${example}.`;
  return until > now + LONGEST_ACCEPTED_MILLISECONDS
    ? `${shown}, more than a day ahead: it does nothing until about a day before, and then accepts all that is missing. Remove it, or ${example}.`
    : undefined;
}

function misspelled(key: string, kind: string): string | undefined {
  const slash = key.indexOf('/');
  const domain = key.slice(0, Math.max(0, slash));
  const name = key.slice(slash + 1);
  const isMeant =
    domain === DOMAIN || (names.includes(name) && (slash < 0 || distance(domain, DOMAIN) <= TYPING_ERRORS));
  if (!isMeant) return undefined;
  const shown = key.length > LONGEST_KEY_CHARACTERS ? `${key.slice(0, LONGEST_KEY_CHARACTERS)}…` : key;
  const unknown = `The annotation ${shown} is not known, and does nothing`;
  const ofKind = known.filter((one) => KINDS[one].includes(kind));
  const meant = meantOf(name, ofKind.map(nameOf));
  return meant !== undefined
    ? `${unknown}: write ${DOMAIN}/${meant} if that is meant, or remove it.`
    : `${unknown}: remove it. A ${kind} has ${ofKind.join(', ')}.`;
}

/** Before the first warning of a message. */
const MARK = ' Warning: ';

/** Verdicts whose Ready also says what is odd. What a message has already is not said twice. */
export function withWarnings(verdicts: readonly Verdict[], warnings: readonly string[]): Verdict[] {
  return verdicts.map((verdict) => {
    if (verdict.type !== 'Ready') return verdict;
    const fresh = warnings.filter((warning) => !verdict.message.includes(warning));
    return {
      ...verdict,
      message: `${verdict.message}${fresh.map((warning) => `${MARK}${warning}`).join('')}`.trimStart(),
    };
  });
}

/** The warnings that no condition had: these are news. */
export function newWarnings(before: readonly Condition[] | undefined, warnings: readonly string[]): string[] {
  return warnings.filter((warning) => !before?.some(({ message }) => message.includes(warning)));
}
