import type { Authenticator } from '../../simulator/authentication.ts';
import type { Account, Simulation } from '../../simulator/simulation.ts';

/** Who asks, and whether the service still takes it. */
export interface Credentials {
  /** The account of the request. Throws 401, with the challenges. */
  check(method: string, target: string, authorization: string | undefined): Account;
  /** Throws the 401 of a request without credentials. */
  refuse(method: string, target: string): never;
  /** The account that the request says it is of; undefined when there is none. Nothing is checked. */
  claimed(authorization: string | undefined): Account | undefined;
  accept(name: string, isAccepted: boolean): void;
}

export function createCredentials(simulation: Simulation, authenticator: Authenticator): Credentials {
  const revoked = new Set<string>();
  // Basic is the same text each time: it is looked at once.
  const claims = new Map<string, Account | undefined>();

  function claimed(authorization: string | undefined): Account | undefined {
    if (authorization === undefined) return undefined;
    if (!authorization.startsWith('Basic ')) {
      return simulation.accountsByToken.get(/username="([^"]*)"/.exec(authorization)?.[1] ?? '');
    }
    if (!claims.has(authorization)) {
      const pair = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8');
      claims.set(authorization, simulation.accountsByToken.get(pair.split(':')[0] ?? ''));
    }
    return claims.get(authorization);
  }

  function refuse(method: string, target: string): never {
    authenticator.authenticate(method, target, undefined);
    throw new Error('a request without credentials is refused');
  }

  return {
    check(method, target, authorization) {
      const account = authenticator.authenticate(method, target, authorization);
      return revoked.has(account.name) ? refuse(method, target) : account;
    },
    refuse,
    claimed,
    accept(name, isAccepted) {
      if (!simulation.accounts.some((account) => account.name === name)) throw new Error(`there is no account ${name}`);
      if (isAccepted) revoked.delete(name);
      else revoked.add(name);
    },
  };
}
