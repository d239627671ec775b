import { Argument, Command } from 'commander';
import { completionScript, type Shell, shells } from '../cli/completion/scripts.ts';
import { surroundingsOfCommand } from './cluster-flags.ts';
import { endProcess } from './end.ts';

/** `edgeline completion`: a script that lets a shell complete commands, flags and names. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands, flags and the names of objects in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  source <(edgeline completion bash)      # in ~/.bashrc
  source <(edgeline completion zsh)       # in ~/.zshrc, after compinit
  edgeline completion fish > ~/.config/fish/completions/edgeline.fish

kubectl completes \`kubectl edgeline\` by itself where kubectl_complete-edgeline is on the PATH, as after npm install.`,
    )
    .action((shell: Shell) => void process.stdout.write(completionScript(shell)));
}

/** Prints how the last of the words may go on, for the scripts and for kubectl. */
export async function printCompletion(program: Command, words: readonly string[]): Promise<void> {
  const { completions } = await import('../cli/completion/run.ts');
  process.stdout.write(await completions(program, words, surroundingsOfCommand()));
  endProcess(0);
}
