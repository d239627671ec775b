import { type Command, Option } from 'commander';
import { parseText } from './arguments.ts';

/** Which manifests, as kubectl's flags of the same names. */
export interface ManifestFlags {
  readonly filename?: readonly string[];
  readonly kustomize?: string;
  readonly recursive: boolean;
}

/** Adds `-f`, `-k` and `-R`. */
export function withManifestFlags(command: Command): Command {
  return command
    .addOption(
      new Option('-f, --filename <path>', 'a file or directory of manifests, or - for stdin; may be repeated')
        .argParser((path: string, before?: readonly string[]) => [...(before ?? []), parseText(path)])
        .conflicts('kustomize'),
    )
    .option('-k, --kustomize <directory>', 'what kubectl kustomize makes of a directory', parseText)
    .option('-R, --recursive', 'the directories below those of -f, too', false);
}
