import { InvalidArgumentError } from 'commander';
import type { AccountChoice } from '../cli/service/account.ts';
import { durationMilliseconds } from '../duration.ts';

/** Where something listens, as flags name it: `0` for nowhere, a port, or host and port. */
const LISTEN = /^(0|([^:\s/[\]]+|\[[0-9A-Fa-f:.]+\])?:([0-9]{1,5}))$/;
/** The name of a namespace (RFC 1123). */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** The name of a Secret, or of another object (RFC 1123). */
const OBJECT = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
/** A host, with or without a port. */
const HOST = /^([^:/@?#\s[\]]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;
const HIGHEST_PORT = 65_535;

/** The readers of values on a command line. Each throws InvalidArgumentError saying what to write. */

export function parseCount(most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!/^[0-9]+$/.test(text) || count < 1 || count > most)
      throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`);
    return count;
  };
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port < 1 || port > HIGHEST_PORT)
    throw new InvalidArgumentError(`A port is a number from 1 to ${HIGHEST_PORT}.`);
  return port;
}

export function parseListen(text: string): string {
  const port = Number(LISTEN.exec(text)?.[3] ?? 0);
  if (!LISTEN.test(text) || port > HIGHEST_PORT)
    throw new InvalidArgumentError('Write a host and a port, for example :8080 or 127.0.0.1:8080, or 0 for nowhere.');
  return text;
}

export function parseNamespace(text: string): string {
  if (!NAMESPACE.test(text))
    throw new InvalidArgumentError(
      `"${text}" is not the name of a namespace: those are lowercase letters, digits and hyphens.`,
    );
  return text;
}

export function parseNamespaces(text: string): string[] {
  return [...new Set(parseList(text).map(parseNamespace))];
}

export function parseSecrets(text: string): string[] {
  return parseList(text).map((name) => {
    if (!OBJECT.test(name))
      throw new InvalidArgumentError(
        `"${name}" is not the name of a Secret: those are lowercase letters, digits, hyphens and dots, without a namespace.`,
      );
    return name;
  });
}

export function parseHosts(text: string): string[] {
  return parseList(text).map((host) => {
    const port = Number(HOST.exec(host)?.[2] ?? 1);
    if (!HOST.test(host) || port < 1 || port > HIGHEST_PORT)
      throw new InvalidArgumentError(
        `"${host}" is not a host: write it as in baseURL, without https:// and path, for example api.example.jp or api.example.jp:8443.`,
      );
    return host;
  });
}

export function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty: write a value, or leave the flag out.');
  return text;
}

/** The items of a list written with commas, without the spaces around them. */
export function parseList(text: string): string[] {
  const list = text.split(',').map((item) => item.trim());
  if (list.includes('')) throw new InvalidArgumentError('Write names separated by commas, for example a,b.');
  return list;
}

/** A stretch of time, with how it was typed. */
export class Duration {
  readonly text: string;
  readonly milliseconds: number;

  constructor(text: string, milliseconds: number) {
    this.text = text;
    this.milliseconds = milliseconds;
  }

  toString(): string {
    return this.text;
  }
}

/** Days, hours, minutes and seconds, as `2h` or `1h30m`. */
export function parseDuration(text: string): Duration {
  const milliseconds = durationMilliseconds(text);
  if (milliseconds === undefined) throw new InvalidArgumentError('Write a time such as 30m, 2h or 1d.');
  return new Duration(text, milliseconds);
}

/** `NAME`, or `KIND/NAME`. */
export function parseAccount(text: string): AccountChoice {
  const slash = text.indexOf('/');
  const kind = slash < 0 ? 'CloudAccount' : text.slice(0, slash);
  const name = text.slice(slash + 1);
  if ((kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount') || !OBJECT.test(name)) {
    throw new InvalidArgumentError('Write the name of an account, for example default or ClusterCloudAccount/default.');
  }
  return { kind, name };
}
