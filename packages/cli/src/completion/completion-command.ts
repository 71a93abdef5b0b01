import { Argument, type Command } from "commander";
import { addCommand, type CommandContext } from "../options/command-context.js";
import { writeBashCompletion } from "./bash-completion.js";
import { completionNodes } from "./completion-node.js";
import { writeFishCompletion } from "./fish-completion.js";
import { writeZshCompletion } from "./zsh-completion.js";

const SHELLS = { bash: writeBashCompletion, zsh: writeZshCompletion, fish: writeFishCompletion };

export function addCompletionCommand(program: Command, { terminal }: CommandContext): void {
  addCommand(program, "completion", {
    summary: "print a script that completes commands and options in a shell",
    description:
      "Print a script that completes commands, options and their values in a shell. It does not run riskgate; print it again after an update.",
    examples: {
      "riskgate completion fish | source": "In config.fish",
      "source <(riskgate completion bash)": "In .bashrc, or for zsh after compinit in .zshrc",
    },
  })
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .action(async (shell: keyof typeof SHELLS) => {
      await terminal.out.write(SHELLS[shell](program.name(), completionNodes(program)));
    });
}
