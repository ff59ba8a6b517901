import { type CommandSpec, type SectionSpec, verbsOf } from "./command-spec";

/** Completion for zsh, with descriptions. */
export function zshScript(sections: readonly SectionSpec[]): string {
  const first = sections.flatMap((section) => [
    ...Object.entries(section.nouns).map(([noun, about]) => described(noun, about)),
    ...Object.entries(section.commands).flatMap(([name, { about }]) =>
      name.includes(" ") ? [] : [described(name, about)],
    ),
  ]);
  const nouns = sections.flatMap((section) =>
    Object.keys(section.nouns).map(
      (noun) => `    ${noun})
      if (( CURRENT == 3 )); then
        choices=(${verbsOf(section, noun)
          .map((verb) => described(verb, section.commands[`${noun} ${verb}`]!.about))
          .join(" ")})
        _describe -t commands '${noun} command' choices
        return
      fi
      name="$name $words[3]"
      shift words
      (( CURRENT-- )) ;;`,
    ),
  );
  const all = sections.flatMap(({ commands }) => Object.entries(commands));
  return `#compdef countersign
# zsh completion for countersign: after compinit in ~/.zshrc, source <(countersign completion zsh)
_countersign() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${first.join(" ")})
    _describe -t commands command choices
    _arguments '--help[print help]' '--version[print the version]' '--json[print JSON]'
    return
  fi
  local name=$words[2]
  case $name in
${nouns.join("\n")}
  esac
  shift words
  (( CURRENT-- ))
  case $name in
${all.map(([name, it]) => `    '${name}') _arguments ${specsOf(it).map(quoted).join(" ")} ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == _countersign ]]; then _countersign "$@"; else compdef _countersign countersign; fi`;
}

/** As _arguments expects them: '*--scope=[what the token may do]:scope:(approvals\:write …)' */
function specsOf({ words = {}, options = {} }: CommandSpec): string[] {
  const values = ({ choices, file }: { choices?: readonly string[]; file?: true }) =>
    file ? "_files" : choices ? `(${choices.map(escaped).join(" ")})` : " ";
  return [
    // For a word without choices, a spec would stop zsh from completing options in its place.
    ...Object.entries(words).flatMap(([word, it]) => (it.choices ? [`:${word}:${values(it)}`] : [])),
    ...Object.entries(options).map(([name, it]) => {
      const about = `[${it.about.replaceAll(/[\\[\]]/g, "\\$&")}]`;
      return `${it.many ? "*" : ""}--${name}${it.value ? `=${about}:${it.value}:${values(it)}` : about}`;
    }),
    "--json[print the result as one line of JSON]",
    "--help[print help]",
  ];
}

const escaped = (text: string) => text.replaceAll(/[\\:]/g, "\\$&");
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** As _describe expects them. */
const described = (name: string, about: string) => quoted(`${escaped(name)}:${about}`);
