import type { Credentials, UsedAccount } from './accounts.ts';
import { type Listed, merged, type Picture } from './picture/picture.ts';
import { storedWorld } from './picture/stored.ts';
import type { PlayedAccount } from './play.ts';

/** What is known of an account of the cluster. */
export interface KnownAccount {
  readonly account: UsedAccount;
  readonly credentials: Credentials;
  /** What the statuses of its resources say. */
  readonly recorded: Picture;
  /** What the service said, if it was asked. */
  readonly answered: { readonly picture: Picture; readonly listed: Listed } | undefined;
}

/**
 * The accounts at the service that accounts of the cluster stand for: those with one token are one, and so are those that
 * show the same objects, for an ID is given once. Their names are the places of the accounts. Pure.
 */
export function playedAccounts(known: readonly KnownAccount[], now: number): PlayedAccount[] {
  let groups: readonly KnownAccount[][] = [];
  for (const one of known) {
    // It may show that two are one which had nothing in common before.
    const isIts = (group: readonly KnownAccount[]) => group.some((other) => isSame(one, other));
    groups = [...groups.filter((group) => !isIts(group)), [...groups.filter(isIts).flat(), one]];
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const name = String(known.indexOf(first));
    const world = storedWorld(name, pictureOf(group), now);
    const tokens = new Map(group.map((one) => [one.credentials.accessToken, one]));
    return [...tokens.values()].map((one, place) => ({
      ...one.credentials,
      name: place === 0 ? name : String(known.indexOf(one)),
      ...(place === 0 ? { world } : { sameAs: name }),
    }));
  });
}

function isSame(one: KnownAccount, other: KnownAccount): boolean {
  if (one.credentials.accessToken === other.credentials.accessToken) return true;
  const [ids, others] = [one, other].map(idsShown);
  return [...(ids ?? [])].some((id) => others?.has(id));
}

function idsShown({ answered }: KnownAccount): ReadonlySet<string> {
  if (!answered) return new Set();
  const { sims, gateways, sites } = answered.picture;
  return new Set([...sims.keys(), ...gateways.keys(), ...sites.keys()]);
}

function pictureOf(group: readonly KnownAccount[]): Picture {
  const nothing: Listed = { sims: false, sites: false, zones: new Set() };
  const recorded = group.map((one) => one.recorded).reduce((all, one) => merged(all, one, nothing));
  return group.reduce(
    (all, { answered }) => (answered ? merged(all, answered.picture, answered.listed) : all),
    recorded,
  );
}
