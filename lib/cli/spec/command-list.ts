import { access } from "./access-commands";
import { asking } from "./ask-commands";
import type { CommandSpec, SectionSpec } from "./command-spec";
import { running } from "./service-commands";

const commandLine: SectionSpec = {
  title: "This command line",
  nouns: {},
  commands: {
    completion: {
      about: "Print a script that completes commands, options and values in your shell.",
      more: `bash: add  source <(countersign completion bash)  to ~/.bashrc
zsh: add  source <(countersign completion zsh)  after compinit in ~/.zshrc
fish: countersign completion fish > ~/.config/fish/completions/countersign.fish
Completion works for a program named countersign. docs/commands.md says how to put it on your PATH.`,
      words: { shell: { about: "the shell", choices: ["bash", "zsh", "fish"] } },
      example: "completion bash",
      load: async () => (await import("./completion")).completionOf(sections),
    },
  },
};

/** Every command, in the order of the help. */
export const sections: readonly SectionSpec[] = [asking, access, running, commandLine];

/** All commands by name. */
export const commandSpecs: ReadonlyMap<string, CommandSpec> = new Map(
  sections.flatMap(({ commands }) => Object.entries(commands)),
);
