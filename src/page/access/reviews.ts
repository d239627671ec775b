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
  /** The same for all of these. */
  readonly key: string;
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
const MOST_RIGHTS = 20_000;
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
const accessReview = z.object({ status: z.object({ allowed: z.boolean() }) });

/** Reviews with answers that are kept for a while: for a minute who somebody is, for half of one what they may see. */
export function createReviews(client: () => Pick<KubeClient, 'create'>, clock: Clock): Reviews {
  const users = createCache<{ readonly user: User | undefined }>(MOST_USERS, clock);
  const rights = createCache<boolean>(MOST_RIGHTS, clock);
  const slots = createSlots(LIMITS);
  const options = { retry: false, timeoutMilliseconds: TIMEOUT_MILLISECONDS };

  async function askFor<T>(ask: () => Promise<T>): Promise<T> {
    const asked = slots.run(ask);
    if (!asked) throw new ReviewsBusyError();
    return asked;
  }

  async function mayList(user: User, { kind, namespace }: Place): Promise<boolean> {
    const question = keyOf(user, { kind, namespace });
    const known = rights.get(question);
    if (known !== undefined) return known;
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
    rights.set(question, allowed, RIGHT_MILLISECONDS);
    return allowed;
  }

  return {
    async userOf(token) {
      if (token.length > LONGEST_TOKEN) return undefined;
      const digest = digestOf(token);
      const known = users.get(digest);
      if (known) return known.user;
      const answer = await askFor(() => client().create(TOKEN_REVIEWS, undefined, { spec: { token } }, options));
      const { authenticated, user: found } = tokenReview.parse(answer).status;
      const isSomebody = authenticated === true && found !== undefined && found.username !== '';
      const user = isSomebody ? { ...found, key: digestOf(JSON.stringify(found)) } : undefined;
      users.set(digest, { user }, user ? USER_MILLISECONDS : STRANGER_MILLISECONDS);
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
      const unknown = open.filter((place) => rights.get(keyOf(user, place)) === undefined);
      const asked = new Set(unknown.slice(0, MOST_QUESTIONS));
      const left = new Set(unknown.slice(MOST_QUESTIONS));
      const seen = new Set<string>();
      await Promise.all(
        open
          .filter((place) => asked.has(place) || !left.has(place))
          .map(async (place) => {
            if (await mayList(user, place)) seen.add(`${place.kind.kind}/${place.namespace}`);
          }),
      );
      return {
        isWhole: everywhere.size === kinds.length,
        isPartial: left.size > 0,
        user: user.username,
        sees: (kind, namespace) => everywhere.has(kind) || seen.has(`${kind}/${namespace ?? ''}`),
      };
    },
  };
}

function keyOf(user: User, { kind, namespace }: Place): string {
  return `${kind.kind}/${namespace ?? ''}/${user.key}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
