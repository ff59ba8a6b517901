import type { Command } from "../command";
import { bashScript } from "./bash";
import type { SectionSpec } from "./command-spec";
import { fishScript } from "./fish";
import { zshScript } from "./zsh";

const scripts = { bash: bashScript, fish: fishScript, zsh: zshScript };

/**
 * A shell script that contains all commands when it is printed, so that pressing Tab runs none of
 * our code.
 */
export const completionOf = (sections: readonly SectionSpec[]): Command => ({
  behind: "nothing",
  async run(_given, [shell = ""]) {
    const script = scripts[shell as keyof typeof scripts](sections);
    return { json: { shell, script }, text: script };
  },
});
