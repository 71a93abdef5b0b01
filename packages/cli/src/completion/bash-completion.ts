import type { CompletionNode } from "./completion-node.js";

/** Returns a script for bash 3.2 and later, which completes file names in all other places. */
export function writeBashCompletion(name: string, nodes: readonly CompletionNode[]): string {
  const paths = nodes.slice(1).map(({ path }) => `"${path}"`);
  const valued = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ names, choices }) => names.map((one) => ({ text: `"${path} ${one}"`, choices }))),
  );
  const chosen = valued.filter(({ choices }) => choices.length > 0);
  const free = valued.filter(({ choices }) => choices.length === 0).map(({ text }) => text);
  const values = chosen.map(({ text, choices }) => `  ${text}) words="${choices.join(" ")}" ;;\n`);
  const words = nodes.map(({ path, commands, options, values: given }) => {
    const plain = [...commands.map((command) => command.name), ...given];
    const dashed = options.flatMap(({ names }) => names);
    return `    "${path}") plain="${plain.join(" ")}" dashed="${dashed.join(" ")}" ;;\n`;
  });
  return `# Completion of ${name} for bash. Load it with: source <(${name} completion bash)
_${name}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" node="${name}" words="" plain="" dashed="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$node \${COMP_WORDS[at]}" in
    ${paths.join(" | ")}) node="$node \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$node \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join("")}  ${free.join(" | ")}) ;;
  *)
    case "$node" in
${words.join("")}    esac
    case "$word" in -*) words="$dashed" ;; *) words="$plain" ;; esac
    ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _${name} ${name}
`;
}
