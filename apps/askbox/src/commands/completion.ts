import { Argument } from "commander";
import { commandWith, type DefineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";

export const command: DefineCommand = (run) =>
  commandWith("completion", "Print completions for bash, zsh or fish", [
    ["echo 'eval \"$(askbox completion bash)\"' >> ~/.bashrc", "bash"],
    ["echo 'eval \"$(askbox completion zsh)\"' >> ~/.zshrc", "zsh, after compinit"],
    ["askbox completion fish > ~/.config/fish/completions/askbox.fish", "fish"],
  ])
    .addArgument(new Argument("<shell>", "the shell").choices(completedShells))
    .action(run(completion));

async function completion({ io }: CommandContext, shell: CompletedShell): Promise<ExitCode> {
  await io.stdout.write(completionScripts[shell]);
  return exitCodes.done;
}

/**
 * The completion script for each shell. They pass the words unchanged to `askbox __complete --`, as arguments and never through `eval`, so that
 * nothing half-typed is ever executed.
 */
export const completionScripts = {
  bash: `# askbox completions for bash 3.2 or newer
_askbox() {
  local word about
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    if [ "$word" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
    else
      COMPREPLY+=("$word")
    fi
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _askbox askbox
`,
  zsh: `#compdef askbox
# askbox completions for zsh
_askbox() {
  local line
  local -a described
  for line in "\${(@f)$("\${words[1]/#\\~/$HOME}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ':files' ]]; then
      _files
    elif [[ -n $line ]]; then
      described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#described} )) && _describe askbox described
}
if [[ $funcstack[1] == _askbox ]]; then _askbox "$@"; else compdef _askbox askbox; fi
`,
  fish: `# askbox completions for fish
function __askbox_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c askbox -f -a '(__askbox_complete)'
`,
} as const;

export type CompletedShell = keyof typeof completionScripts;
export const completedShells = Object.keys(completionScripts) as CompletedShell[];
