import type { Command } from "../command";
import { bashScript } from "./bash";
import { fishScript } from "./fish";
import { zshScript } from "./zsh";

const scripts: Readonly<Record<string, () => string>> = { bash: bashScript, fish: fishScript, zsh: zshScript };

/** A script for a shell, which knows all there is when it is printed: nothing of ours runs when somebody presses Tab. */
export const completionCommand: Command = {
  behind: "nothing",
  async run(_given, [shell = ""]) {
    const script = scripts[shell]?.() ?? "";
    return { json: { shell, script }, text: script };
  },
};
