import { Command, InvalidArgumentError } from 'commander';
import type { siteOperations } from '../cli/ask/site.ts';
import { type AskFlags, withAskFlags } from './ask-flags.ts';
import { surroundingsOfCommand } from './cluster-flags.ts';
import { endProcess } from './end.ts';

type Name = Exclude<keyof typeof siteOperations, 'usage'>;

/** `edgeline site`: what a person asks of a web-acceleration site. */
export function siteCommand(): Command {
  const command = new Command('site').description('look at a site: its usage, its certificates, who may see it');
  const add = (name: string, description: string, argument: string) => {
    const one = new Command(name).description(description).argument(argument, 'the name of a WebAccelSite, or an ID');
    command.addCommand(withAskFlags(one).exitOverride());
    return one;
  };
  add('usage', 'the usage of a month, of one site or of all sites of the account', '[site]')
    .option('--month <month>', 'which month, such as 2026-10 (default: this one)', parseMonth)
    .action(usage);
  add('certificate', 'the certificate it has, and those before', '<site>').action((site: string, flags: AskFlags) =>
    about('certificate', site, flags),
  );
  add('acl', 'its access control list', '<site>').action((site: string, flags: AskFlags) => about('acl', site, flags));
  return command.addHelpText('after', () => help(command));
}

function help(command: Command): string {
  const name = `${command.parent?.name() ?? 'edgeline'} site`;
  return `
Examples:
  ${name} certificate www -n shop
  ${name} usage --month 2026-10 -o json

Each takes one request of web acceleration's hour, which the operator counts, with your permission to read the
account's Secrets and to write its status.`;
}

async function about(name: Name, site: string, flags: AskFlags): Promise<void> {
  const [{ askAbout }, { siteOperations: operations }] = await loaded();
  await askAbout('WebAccelSite', site, flags, surroundingsOfCommand(), (work) => operations[name](work));
  endProcess(0);
}

async function usage(site: string | undefined, flags: AskFlags & { readonly month?: string }): Promise<void> {
  const [{ ask, askAbout }, { siteOperations: operations }] = await loaded();
  const surroundings = surroundingsOfCommand();
  if (site === undefined)
    await ask(
      flags,
      surroundings,
      async () => flags.account,
      (work) => operations.usage(work, undefined, flags.month),
    );
  else
    await askAbout('WebAccelSite', site, flags, surroundings, (work) =>
      operations.usage(work, work.subject.id, flags.month),
    );
  endProcess(0);
}

const loaded = () => Promise.all([import('../cli/ask/run.ts'), import('../cli/ask/site.ts')]);

/** As the service has it: six digits. */
function parseMonth(text: string): string {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) throw new InvalidArgumentError('Write a month, for example 2026-10.');
  return year + month;
}
