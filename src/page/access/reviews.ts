import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Kind, kinds } from '../../cli/kinds.ts';
import type { Clock } from '../../clock.ts';
import { EdgelineError } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import { SUBJECT_ACCESS_REVIEWS, TOKEN_REVIEWS } from '../../kubernetes/resource.ts';
import { createCache } from './cache.ts';
import type { Sight } from './sight.ts';
import { createSlots } from './slots.ts';

/** Who sent a token, as the apiserver says. */
export interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** The same for all of these, whatever the token: the ID of a credential is not who it is of. */
  readonly key: string;
  /** Whoever can be many users at will is one: all ServiceAccounts of a namespace. */
  readonly party: string;
}

/** Asks the apiserver who somebody is and what they may see. */
export interface Reviews {
  /** Undefined: the token is nobody's. Throws when it can't be asked. */
  userOf(token: string): Promise<User | undefined>;
  /** What of these the user may list. Throws when it can't be asked. */
  sightOf(user: User, wanted: readonly Place[]): Promise<Sight>;
}

/** A kind in a namespace; undefined for a kind that is in none. */
export interface Place {
  readonly kind: Kind;
  readonly namespace: string | undefined;
}

/** Too many ask at a time. */
export class ReviewsBusyError extends EdgelineError {
  readonly code = 'ReviewsBusy';

  constructor() {
    super('too many ask the apiserver who they are', 'Try again in a moment.');
  }
}

const USER_MILLISECONDS = 60_000;
const STRANGER_MILLISECONDS = 10_000;
const RIGHT_MILLISECONDS = 30_000;
const MOST_USERS = 1000;
const MOST_RIGHTS = 50_000;
/** So long it is known what may not be seen, and what was seen last: to ask first what matters. */
const REMEMBERED_MILLISECONDS = 600_000;
/** For one page so much is asked; the rest when it is asked for again, as it is by itself. */
const MOST_QUESTIONS = 256;
const TIMEOUT_MILLISECONDS = 5000;
/** Those who send tokens of nobody must not keep the apiserver busy. */
const LIMITS = { atATime: 8, waiting: 2048 };
/** No token of Kubernetes is longer than what a request line may be. */
const LONGEST_TOKEN = 16_384;

const extraFields = z.record(z.string(), z.array(z.string()));
const tokenReview = z.object({
  status: z
    .object({
      authenticated: z.boolean().optional(),
      user: z
        .object({
          username: z.string().default(''),
          uid: z.string().default(''),
          groups: z.array(z.string()).default([]),
          extra: extraFields.default({}),
        })
        .optional(),
    })
    .default({}),
});
/** What was answered, monotonic milliseconds. */
interface Right {
  readonly allowed: boolean;
  readonly askedAt: number;
}

/** Each token has another (`authentication.k8s.io`, KEP-4193), and who may make tokens has any number of them. */
const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

const accessReview = z.object({ status: z.object({ allowed: z.boolean() }) });

/** Reviews with answers that are kept for a while: for a minute who somebody is, for half of one what they may see. */
export function createReviews(client: () => Pick<KubeClient, 'create'>, clock: Clock): Reviews {
  const users = createCache<User>(MOST_USERS, clock);
  // So that no number of tokens of nobody has somebody asked for anew.
  const strangers = createCache<true>(MOST_USERS, clock);
  const rights = createCache<Right>(MOST_RIGHTS, clock);
  const slots = createSlots(LIMITS);
  const options = { retry: false, timeoutMilliseconds: TIMEOUT_MILLISECONDS };

  async function askFor<T>(ask: () => Promise<T>): Promise<T> {
    const asked = slots.run(ask);
    if (!asked) throw new ReviewsBusyError();
    return asked;
  }

  const isFresh = ({ askedAt }: Right) => clock.monotonic() - askedAt < RIGHT_MILLISECONDS;

  /** What has to be asked: first what could be seen, then what was never asked, and what could not be seen longest ago. */
  function toBeAsked(user: User, places: readonly Place[]): { readonly place: Place; readonly isKnown: boolean }[] {
    return places
      .map((place) => ({ place, right: rights.get(keyOf(user, place)) }))
      .filter(({ right }) => !right || !isFresh(right))
      .map(({ place, right }) => ({
        place,
        isKnown: right?.allowed === false,
        rank: right ? Number(!right.allowed) * 2 : 1,
        askedAt: right?.askedAt ?? 0,
      }))
      .sort((a, b) => a.rank - b.rank || a.askedAt - b.askedAt);
  }

  async function mayList(user: User, { kind, namespace }: Place): Promise<boolean> {
    const question = keyOf(user, { kind, namespace });
    const known = rights.get(question);
    if (known && isFresh(known)) return known.allowed;
    const spec = {
      user: user.username,
      uid: user.uid,
      groups: user.groups,
      extra: user.extra,
      resourceAttributes: {
        verb: 'list',
        group: kind.group,
        version: kind.version,
        resource: kind.plural,
        ...(namespace !== undefined && { namespace }),
      },
    };
    const answer = await askFor(() => client().create(SUBJECT_ACCESS_REVIEWS, undefined, { spec }, options));
    const { allowed } = accessReview.parse(answer).status;
    rights.set(question, { allowed, askedAt: clock.monotonic() }, REMEMBERED_MILLISECONDS);
    return allowed;
  }

  return {
    async userOf(token) {
      if (token.length > LONGEST_TOKEN) return undefined;
      const digest = digestOf(token);
      const known = users.get(digest);
      if (known || strangers.get(digest)) return known;
      const answer = await askFor(() => client().create(TOKEN_REVIEWS, undefined, { spec: { token } }, options));
      const { authenticated, user: found } = tokenReview.parse(answer).status;
      if (authenticated !== true || found === undefined || found.username === '') {
        strangers.set(digest, true, STRANGER_MILLISECONDS);
        return undefined;
      }
      const { [CREDENTIAL_ID]: _, ...extra } = found.extra;
      const key = digestOf(JSON.stringify([found.username, found.uid, found.groups, extra]));
      const user = { ...found, key, party: partyOf(found.username) };
      users.set(digest, user, USER_MILLISECONDS);
      return user;
    },

    async sightOf(user, wanted) {
      const everywhere = new Set<string>();
      await Promise.all(
        kinds.map(async (kind) => {
          if (await mayList(user, { kind, namespace: undefined })) everywhere.add(kind.kind);
        }),
      );
      const open = wanted.filter(({ kind, namespace }) => namespace !== undefined && !everywhere.has(kind.kind));
      const due = toBeAsked(user, open);
      const left = due.slice(MOST_QUESTIONS);
      const unasked = new Set(left.map(({ place }) => place));
      const seen = new Set<string>();
      await Promise.all(
        open
          .filter((place) => !unasked.has(place))
          .map(async (place) => {
            if (await mayList(user, place)) seen.add(`${place.kind.kind}/${place.namespace}`);
          }),
      );
      return {
        isWhole: everywhere.size === kinds.length,
        isPartial: left.some(({ isKnown }) => !isKnown),
        user: user.username,
        sees: (kind, namespace) => everywhere.has(kind) || seen.has(`${kind}/${namespace ?? ''}`),
      };
    },
  };
}

function partyOf(username: string): string {
  return /^system:serviceaccount:[^:]+:/.exec(username)?.[0] ?? username;
}

function keyOf(user: User, { kind, namespace }: Place): string {
  return `${kind.kind}/${namespace ?? ''}/${user.key}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
