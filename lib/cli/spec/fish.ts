import { type SectionSpec, verbsOf } from "./command-spec";

/** Completion for fish, 3.0 or later. */
export function fishScript(sections: readonly SectionSpec[]): string {
  const of = (where: string, what: string, about: string) =>
    `complete -c countersign -n '${where}' ${what} -d ${quoted(about)}`;
  const lines = sections.flatMap((section) => [
    ...Object.entries(section.nouns).flatMap(([noun, about]) => [
      of("__countersign_after", `-a ${noun}`, about),
      ...verbsOf(section, noun).map((verb) =>
        of(`__countersign_after ${noun}`, `-a ${verb}`, section.commands[`${noun} ${verb}`]!.about),
      ),
    ]),
    ...Object.entries(section.commands).flatMap(([name, { about, words = {}, options = {} }]) => [
      ...(name.includes(" ") ? [] : [of("__countersign_after", `-a ${name}`, about)]),
      ...Object.values(words).flatMap(({ about, choices }) =>
        choices ? [of(`__countersign_after ${name}`, `-a ${quoted(choices.join(" "))}`, about)] : [],
      ),
      ...Object.entries(options).map(([option, { value, about, choices, file }]) => {
        const taken = file ? " -r -F" : value ? ` -x${choices ? ` -a ${quoted(choices.join(" "))}` : ""}` : "";
        return of(`__countersign_in ${name}`, `-l ${option}${taken}`, about);
      }),
    ]),
  ]);
  return `# fish completion for countersign: ~/.config/fish/completions/countersign.fish
function __countersign_after
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
function __countersign_in
    set -l words (commandline -opc)
    set -l last (math 1 + (count $argv))
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
complete -c countersign -f
${lines.join("\n")}
complete -c countersign -n __countersign_after -l version -d 'print the version'
complete -c countersign -l json -d 'print the result as one line of JSON'
complete -c countersign -s h -l help -d 'print help'`;
}

const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
