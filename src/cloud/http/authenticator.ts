import { basicAuthorization } from './auth-basic.ts';
import { type DigestChallenge, digestAuthorization, digestChallenge } from './auth-digest.ts';

/** How requests may be authenticated (`api.md`, Authentication). */
export const authenticationSchemes = ['Basic', 'Digest'] as const;
export type AuthenticationScheme = (typeof authenticationSchemes)[number];

/**
 * What a 401 says: `refused`, the credentials are. Else another attempt may succeed: `again`, there was no challenge yet, or its
 * nonce was stale; `shared`, others have used that, too, so that it says nothing of the credentials.
 */
export type Challenged = 'refused' | 'again' | 'shared';

/** Writes the Authorization header of each request and learns from the challenges that come back. */
export interface Authenticator {
  /** The header for one attempt, or undefined where a challenge has to come first; `uri` is path and query as sent. */
  authorize(method: string, uri: string): Authorization | undefined;
  /** Reads the WWW-Authenticate headers of a 401. */
  challenged(headers: readonly string[], used: Authorization | undefined): Challenged;
  /**
   * With Digest and no challenge yet, only one request asks for it; the others wait for that one. Resolves to a function
   * to call when the asking is over, or to undefined where there is nothing to ask.
   */
  asking(signal?: AbortSignal): Promise<(() => void) | undefined>;
}

interface Authorization {
  readonly header: string;
  /** The nonce used, and whether this was the first request made with it. */
  readonly nonce?: string;
  readonly fresh: boolean;
}

interface Credentials {
  readonly accessToken: string;
  readonly accessTokenSecret: string;
}

/** The authenticator of one scheme. `nonce` gives what nobody can foresee, another each time. */
export function createAuthenticator(
  scheme: AuthenticationScheme,
  credentials: Credentials,
  nonce: () => string,
): Authenticator {
  switch (scheme) {
    case 'Basic':
      return basicAuthenticator(credentials);
    case 'Digest':
      return digestAuthenticator(credentials, nonce);
  }
}

function basicAuthenticator(credentials: Credentials): Authenticator {
  const header = basicAuthorization(credentials.accessToken, credentials.accessTokenSecret);
  return {
    authorize: () => ({ header, fresh: true }),
    challenged: () => 'refused',
    asking: async () => undefined,
  };
}

/** Keeps the last challenge and counts the uses of its nonce, so that a request is one round trip and not two. */
function digestAuthenticator(credentials: Credentials, nonce: () => string): Authenticator {
  let challenge: DigestChallenge | undefined;
  let nonceCount = 0;
  let asked: Promise<void> | undefined;

  return {
    authorize(method, uri) {
      if (!challenge) return undefined;
      nonceCount++;
      const header = digestAuthorization({
        challenge,
        username: credentials.accessToken,
        password: credentials.accessTokenSecret,
        method,
        uri,
        nonceCount,
        cnonce: nonce(),
      });
      return { header, nonce: challenge.nonce, fresh: nonceCount === 1 };
    },
    challenged(headers, used) {
      const next = digestChallenge(headers);
      if (!next) return 'refused';
      if (used?.nonce !== undefined && challenge && used.nonce !== challenge.nonce) return 'shared';
      const isShared = nonceCount > 1;
      challenge = next;
      nonceCount = 0;
      if (used === undefined) return 'again';
      if (next.stale) return isShared ? 'shared' : 'again';
      return used.fresh ? 'refused' : 'shared';
    },
    async asking(signal) {
      for (;;) {
        if (challenge) return undefined;
        if (!asked) break;
        await asked;
        signal?.throwIfAborted();
      }
      let over = (): void => {};
      asked = new Promise((resolve) => {
        over = () => {
          asked = undefined;
          resolve();
        };
      });
      return over;
    },
  };
}
