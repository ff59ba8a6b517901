import { type SectionSpec, verbsOf } from "./command-spec";

/** Completion for bash. Uses only features of bash 3.2, which macOS has. */
export function bashScript(sections: readonly SectionSpec[]): string {
  const offered = sections.flatMap(({ commands }) => Object.entries(commands));
  const nouns = sections.flatMap((section) =>
    Object.keys(section.nouns).map((noun) => ({ noun, verbs: verbsOf(section, noun).join(" ") })),
  );
  const first = [...new Set(offered.map(([name]) => name.split(" ")[0]))];
  const values: string[] = [];
  const files: string[] = [];
  const free: string[] = [];
  const others: string[] = [];
  for (const [name, { options = {}, words = {} }] of offered) {
    for (const [option, { value, file, choices }] of Object.entries(options))
      if (choices) values.push(`    "${name} --${option}") offered="${choices.join(" ")}" ;;`);
      else if (value) (file ? files : free).push(`"${name} --${option}"`);
    const chosen = Object.values(words).flatMap(({ choices = [] }) => choices);
    const all = [...Object.keys(options), "json", "help"].map((option) => `--${option}`).join(" ");
    const unlessDash = chosen.length > 0 ? `[[ $cur == -* ]] || offered="${chosen.join(" ")}"; ` : "";
    others.push(`        "${name}") offered="${all}"; ${unlessDash};;`.replace("; ;;", " ;;"));
  }
  return `# bash completion for countersign. Add to ~/.bashrc: source <(countersign completion bash)
_countersign() {
  # Parse the line ourselves, because bash also splits words at ":" and "=".
  COMPREPLY=()
  local line=\${COMP_LINE:0:COMP_POINT} offered="" files="" words path
  local cur=\${line##*[[:space:]]}
  read -ra words <<<"\${line%"$cur"}"
  local prev=\${words[\${#words[@]} - 1]} inline="" kept=""
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*} cur=\${cur#*=} inline=$prev=
  fi
  path=\${words[1]}
  case " ${nouns.map(({ noun }) => noun).join(" ")} " in
    *" $path "*) [[ -n $path && \${#words[@]} -gt 2 ]] && path="$path \${words[2]}" ;;
  esac
  case "$path $prev" in
${values.join("\n")}
    ${files.join(" | ")}) files=yes ;;
    ${free.join(" | ")}) ;;
    *)
      [[ -n $inline ]] && return
      case $path in
        "") offered="${first.join(" ")} --help --version" ;;
${nouns.map(({ noun, verbs }) => `        ${noun}) offered="${verbs} --help" ;;`).join("\n")}
${others.join("\n")}
      esac ;;
  esac
  local reply IFS=$'\\n'
  # For bash, the word before the cursor starts after its last break character.
  [[ $COMP_WORDBREAKS == *:* ]] && kept=\${cur%"\${cur##*:}"}
  [[ $COMP_WORDBREAKS == *=* ]] && inline=""
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    for reply in $(compgen -f -- "$cur"); do COMPREPLY+=("$inline$reply"); done
  else
    for reply in $(IFS=' '; compgen -W "$offered" -- "$cur"); do COMPREPLY+=("$inline\${reply#"$kept"}"); done
  fi
}
complete -F _countersign countersign`;
}
