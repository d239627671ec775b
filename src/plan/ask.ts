import type { CallOptions } from '../cloud/limiter/lanes.ts';
import { managedIn } from './accounts.ts';
import { keyOf } from './objects.ts';
import type { Picture } from './picture/picture.ts';
import { type Lists, readDetails, readLists, type ServiceReader } from './picture/read.ts';
import { type Detail, detailsWanted, isOfHour, mostDetails, siteIDOf, siteOfCertificate } from './picture/wanted.ts';
import type { Answered, Question } from './plan.ts';

/** How many requests a plan would send, at the most. */
export interface Requests {
  readonly cloud: number;
  /** Of web acceleration's hour. */
  readonly hour: number;
}

/** What was learnt of the service for one account. */
export interface Learnt {
  readonly answered: Answered;
  /** Resources that there were not enough requests for, by `keyOf`. */
  readonly unread: ReadonlySet<string>;
  readonly sent: Requests;
}

/** The lists a question takes. Pure. */
export function listsFor({ objects }: Question, knownGateways: Iterable<string>): Lists {
  const { sims, gateways, sites, certificates } = objects;
  return {
    sims: sims.length > 0 || gateways.length > 0,
    sites: sites.length > 0 || certificates.length > 0,
    zones: new Set(gateways.map(({ spec }) => spec.zone)),
    iccids: new Set(sims.map(({ spec }) => spec.iccid)),
    gateways: new Set(knownGateways),
  };
}

/** How many requests a question takes at the most, as far as can be told before the first. Pure. */
export function mostRequests(question: Question): Requests {
  const lists = listsFor(question, []);
  const details = mostDetails(question.objects);
  return {
    cloud: Number(lists.sims) + lists.zones.size + details.cloud,
    hour: Number(lists.sites) + details.hour,
  };
}

/**
 * Asks the service what a question needs: lists, then what they do not show. `hour`: how many requests of web acceleration
 * it may take; where they do not suffice, statuses have to, and resources without are left unread. `reserve`: sees to it
 * that so many may be sent, and says how many. Throws `CloudError`.
 */
export async function learn(
  reader: ServiceReader,
  question: Question,
  options: {
    readonly recorded: Picture;
    readonly hour: number;
    readonly reserve: (requests: number) => Promise<number>;
    readonly call: CallOptions;
  },
): Promise<Learnt> {
  const { account } = question;
  const lists = listsFor(question, options.recorded.gateways.keys());
  const sites = lists.sites && options.hour > 0 && (await options.reserve(1)) > 0;
  const { picture, listed } = await readLists(reader, { ...lists, sites }, options.call);
  const details = detailsWanted(question, picture, account.account.spec.dialect ?? 'Documented', options.recorded);
  const asked = Math.min(details.filter(isOfHour).length, Math.max(0, options.hour - 1));
  const granted = lists.sites && !sites ? 0 : asked === 0 ? 0 : await options.reserve(asked);
  const { read, unread } = within(details, granted);
  await readDetails(reader, picture, read, options.call);
  const ofHour = read.filter(isOfHour).length;
  return {
    answered: { picture, listed },
    unread: resourcesOf(unread, question, picture, lists.sites && !sites),
    sent: {
      cloud: Number(lists.sims) + listed.zones.size + read.length - ofHour,
      hour: Number(sites) + ofHour,
    },
  };
}

/** The details for which the hour has room, and the others. */
function within(details: readonly Detail[], hour: number): { read: Detail[]; unread: Detail[] } {
  let left = hour;
  const read: Detail[] = [];
  const unread: Detail[] = [];
  for (const detail of details) {
    const takes = Number(isOfHour(detail));
    if (takes > left) unread.push(detail);
    else read.push(detail);
    left -= takes > left ? 0 : takes;
  }
  return { read, unread };
}

/** The resources that details are of. */
function resourcesOf(details: readonly Detail[], question: Question, picture: Picture, isAll: boolean): Set<string> {
  const { sites, certificates } = question.objects;
  const isUnread = (id: string | undefined, isOfCertificate: boolean) =>
    (isAll && id === undefined) ||
    details.some((detail) => detail.id === id && (detail.what === 'certificates') === isOfCertificate);
  const unread = [
    ...sites
      .filter(({ spec, status }) => !status?.settings && isUnread(status?.id ?? siteIDOf(spec, picture), false))
      .map(({ metadata }) => keyOf('webaccelsites', metadata.namespace, metadata.name)),
    ...certificates
      // What is on a site a status says, too.
      .filter((one) => !one.status?.current && isUnread(siteOfCertificate(one, question.sites, picture), true))
      .map(({ metadata }) => keyOf('sitecertificates', metadata.namespace, metadata.name)),
  ];
  return new Set(unread);
}

/** All resources of a question. */
export function keysOf({ objects }: Question): string[] {
  return managedIn(objects).map(({ key }) => key);
}
