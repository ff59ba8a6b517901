import { nounsOf, offered, sections, verbsOf } from "./offered";

/** Completion for bash, from 3.2 (macOS) on. */
export function bashScript(): string {
  const nouns = sections.flatMap(nounsOf);
  const first = [...new Set([...offered.keys()].map((name) => name.split(" ")[0]))];
  const values: string[] = [];
  const others: string[] = [];
  for (const [name, { options = {}, words = {} }] of offered) {
    for (const [option, { value, file, choices = [] }] of Object.entries(options))
      if (value) values.push(`    "${name} --${option}") ${file ? "files=yes" : `offered="${choices.join(" ")}"`} ;;`);
    const chosen = Object.values(words).flatMap(({ choices = [] }) => choices);
    const all = [...Object.keys(options), "json", "help"].map((option) => `--${option}`).join(" ");
    const unlessDash = chosen.length > 0 ? `[[ $cur == -* ]] || offered="${chosen.join(" ")}"; ` : "";
    others.push(`        "${name}") offered="${all}"; ${unlessDash};;`.replace("; ;;", " ;;"));
  }
  return `# bash completion of countersign. Put into ~/.bashrc: source <(countersign completion bash)
_countersign() {
  # Read from the line: bash itself also parts words at ":" and "=".
  local line=\${COMP_LINE:0:COMP_POINT} offered="" files="" words path
  local cur=\${line##*[[:space:]]}
  read -ra words <<<"\${line%"$cur"}"
  local prev=\${words[\${#words[@]} - 1]} inline="" kept=""
  if [[ $cur == --*=* ]]; then
    prev=\${cur%%=*} cur=\${cur#*=} inline=$prev=
  fi
  path=\${words[1]}
  case " ${nouns.join(" ")} " in
    *" $path "*) [[ -n $path && \${#words[@]} -gt 2 ]] && path="$path \${words[2]}" ;;
  esac
  case "$path $prev" in
${values.join("\n")}
    *)
      [[ -n $inline ]] && return
      case $path in
        "") offered="${first.join(" ")} --help --version" ;;
${nouns.map((noun) => `        ${noun}) offered="${verbsOf(noun).join(" ")} --help" ;;`).join("\n")}
${others.join("\n")}
      esac ;;
  esac
  COMPREPLY=()
  local reply IFS=$'\\n'
  # What bash holds for the word before the cursor begins behind the last of its breaks.
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
