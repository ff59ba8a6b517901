import { access } from "./access";
import { asking } from "./asking";
import type { CommandSpec, SectionSpec } from "./offer";
import { running } from "./running";

const commandLine: SectionSpec = {
  title: "This command line",
  nouns: {},
  commands: {
    completion: {
      about: "Print a script that completes commands, options and values in your shell.",
      more: `bash: put  source <(countersign completion bash)  in ~/.bashrc
zsh: put  source <(countersign completion zsh)  behind compinit in ~/.zshrc
fish: countersign completion fish > ~/.config/fish/completions/countersign.fish
It completes what is called countersign: docs/commands.md says how to get that on your PATH.`,
      words: { shell: { about: "which shell", choices: ["bash", "zsh", "fish"] } },
      example: "completion bash",
      load: async () => (await import("./completion")).completionOf(sections),
    },
  },
};

/** Every command there is, in the order of the help. */
export const sections: readonly SectionSpec[] = [asking, access, running, commandLine];

/** All of them by their names. */
export const commandSpecs: ReadonlyMap<string, CommandSpec> = new Map(
  sections.flatMap(({ commands }) => Object.entries(commands)),
);
