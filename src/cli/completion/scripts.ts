export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * A script for a shell that asks the program itself for completions, so that it need not be renewed with it. It calls
 * `edgeline __complete WORD…` and reads a word a line, after a tab its description, and at the end `:` and a number: 2
 * means that no space follows, 4 that no file names are meant, as in Go's cobra.
 */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return bash;
    case 'zsh':
      return zsh;
    case 'fish':
      return fish;
  }
}

const bash = String.raw`# bash completion of edgeline. Put into ~/.bashrc: source <(edgeline completion bash)
_edgeline() {
  local line directive=0 current words
  # Not COMP_WORDS, which has names such as those of contexts in pieces.
  read -ra words <<<"${'$'}{COMP_LINE:0:COMP_POINT}"
  [[ "${'$'}{COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && words+=("")
  current="${'$'}{words[${'$'}{#words[@]}-1]}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :* ]]; then directive=${'$'}{line#:}; else COMPREPLY+=("${'$'}{line%%$'\t'*}"); fi
  done < <("${'$'}{words[0]}" __complete "${'$'}{words[@]:1}" 2>/dev/null)
  (( directive & 2 )) && compopt -o nospace 2>/dev/null
  (( directive & 4 )) || compopt -o default 2>/dev/null
  # Readline replaces what stands after the last of these only.
  local separator prefix
  for separator in : =; do
    if [[ $COMP_WORDBREAKS == *"$separator"* && $current == *"$separator"* ]]; then
      prefix="${'$'}{current%"${'$'}{current##*$separator}"}"
      COMPREPLY=("${'$'}{COMPREPLY[@]#"$prefix"}")
      current="${'$'}{current##*$separator}"
    fi
  done
}
complete -F _edgeline edgeline
`;

const zsh = String.raw`#compdef edgeline
# zsh completion of edgeline. Put into ~/.zshrc, after compinit: source <(edgeline completion zsh)
_edgeline() {
  local line directive=0
  local -a choices flags
  for line in "${'$'}{(@f)$(${'$'}{words[1]} __complete "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then directive=${'$'}{line#:}
    elif [[ -n $line ]]; then choices+=("${'$'}{${'$'}{line//:/\\:}/$'\t'/:}"); fi
  done
  (( directive & 2 )) && flags=(-S '')
  (( ${'$'}{#choices} )) && _describe 'edgeline' choices $flags
  (( directive & 4 )) || _files
}
compdef _edgeline edgeline
`;

const fish = String.raw`# fish completion of edgeline. Put into ~/.config/fish/completions/edgeline.fish: edgeline completion fish
function __edgeline_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l directive 0
  for line in ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
    if string match -q ':*' -- $line
      set directive (string sub -s 2 -- $line)
    else
      echo $line
    end
  end
  if test (math "bitand($directive, 4)") = 0
    __fish_complete_path "$last"
  end
end
complete -c edgeline -f -a '(__edgeline_complete)'
`;
