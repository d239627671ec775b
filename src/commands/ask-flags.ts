import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AskOptions } from '../cli/ask/run.ts';
import { parseAccount, parseCount } from './arguments.ts';
import { withClusterFlags, withOutputFlag } from './cluster-flags.ts';

const MOST_ENTRIES = 1000;

/** The values of the flags of a command that asks the service something. */
export type AskFlags = AskOptions;

/** Adds which cluster, which account, and `-o`. */
export function withAskFlags(command: Command): Command {
  return withOutputFlag(withAccountFlag(withClusterFlags(command, 'one')));
}

/** Adds `--account`. */
export function withAccountFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--account <account>',
      'the account of what is named by its ID: a CloudAccount of the namespace, or ClusterCloudAccount/NAME (default: default)',
    ).argParser(parseAccount),
  );
}

/** Adds `--count`. */
export function withCountFlag(command: Command): Command {
  return command.option('--count <count>', 'the newest entries that are shown', parseCount(MOST_ENTRIES), 50);
}

/** Adds `--zone`, with the zone where nothing says otherwise. */
export function withZoneFlag(command: Command, zone?: string): Command {
  return command.option('--zone <zone>', 'the zone it is in, such as is1a or tk1b', parseZone, zone);
}

function parseZone(text: string): string {
  if (!/^[a-z0-9]{2,16}$/.test(text)) throw new InvalidArgumentError('Write a zone, for example is1a.');
  return text;
}

/** An ID of the service. */
export function parseID(text: string): string {
  if (!/^\d{12}$/.test(text))
    throw new InvalidArgumentError('Write the ID that the control panel shows, twelve digits.');
  return text;
}
