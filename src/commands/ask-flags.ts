import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AskOptions } from '../cli/ask/run.ts';
import type { AccountChoice } from '../cli/service/account.ts';
import { parseCount } from './arguments.ts';
import { withClusterFlags, withOutputFlag } from './cluster-flags.ts';

/** The name of an object (RFC 1123). */
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The service keeps nothing for longer. Milliseconds. */
const LONGEST_MILLISECONDS = 366 * 86_400_000;
const MOST_ENTRIES = 1000;

/** The values of the flags of a command that asks the service something. */
export type AskFlags = AskOptions;

/** Adds which cluster, which account, and `-o`. */
export function withAskFlags(command: Command): Command {
  withClusterFlags(command, 'one');
  command.addOption(
    new Option(
      '--account <account>',
      'the account of what is named by its ID: a CloudAccount of the namespace, or ClusterCloudAccount/NAME (default: default)',
    ).argParser(parseAccount),
  );
  return withOutputFlag(command);
}

/** Adds `--count`. */
export function withCountFlag(command: Command): Command {
  return command.option('--count <count>', 'the newest entries that are shown', parseCount(MOST_ENTRIES), 50);
}

/** Adds `--zone`, with the zone where nothing says otherwise. */
export function withZoneFlag(command: Command, zone?: string): Command {
  return command.option('--zone <zone>', 'the zone it is in, such as is1a or tk1b', parseZone, zone);
}

function parseAccount(text: string): AccountChoice {
  const slash = text.indexOf('/');
  const kind = slash < 0 ? 'CloudAccount' : text.slice(0, slash);
  const name = text.slice(slash + 1);
  if ((kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount') || !NAME.test(name))
    throw new InvalidArgumentError('Write the name of an account, for example default or ClusterCloudAccount/default.');
  return { kind, name };
}

function parseZone(text: string): string {
  if (!/^[a-z0-9]{2,16}$/.test(text)) throw new InvalidArgumentError('Write a zone, for example is1a.');
  return text;
}

/** `90m`, `6h`, `7d` as milliseconds. */
export function parseSince(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (MILLISECONDS[unit ?? ''] ?? Number.NaN);
  if (!(milliseconds > 0 && milliseconds <= LONGEST_MILLISECONDS))
    throw new InvalidArgumentError('Write how far back, for example 90m, 6h or 7d; a year at most.');
  return milliseconds;
}

/** An ID of the service. */
export function parseID(text: string): string {
  if (!/^\d{12}$/.test(text))
    throw new InvalidArgumentError('Write the ID that the control panel shows, twelve digits.');
  return text;
}
