import { Argument } from "commander";
import { commandWith, type DefineCommand } from "../command.ts";
import { type CompletedShell, completedShells, completionScripts } from "../completion/scripts.ts";
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
