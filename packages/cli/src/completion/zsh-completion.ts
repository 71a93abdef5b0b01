import type { CompletionNode, Described } from "./completion-node.js";

/** Returns a script for zsh, to be sourced after `compinit` or put into a directory of `fpath`. */
export function writeZshCompletion(name: string, nodes: readonly CompletionNode[]): string {
  const paths = nodes.slice(1).map(({ path }) => quoted(path));
  const values = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const words = names.map((one) => quoted(`${path} ${one}`)).join(" | ");
        const offer = choices.length > 0 ? `compadd -- ${choices.map(quoted).join(" ")}` : "_files";
        return `    (${words}) ${offer}; return ;;\n`;
      }),
  );
  const words = nodes.map(({ path, commands, options, values: given }) => {
    const plain = [...commands, ...given.map((one) => ({ name: one, meaning: "" }))];
    const dashed = options.flatMap(({ names, meaning }) =>
      names.map((one) => ({ name: one, meaning })),
    );
    return `    (${quoted(path)})
      plain=(${plain.map(described).join(" ")})
      dashed=(${dashed.map(described).join(" ")}) ;;\n`;
  });
  return `#compdef ${name}
# Completion of ${name} for zsh. Load it with: source <(${name} completion zsh)
_${name}() {
  local node=${quoted(name)} at
  local -a plain dashed
  for ((at = 2; at < CURRENT; at++)); do
    case "$node \${words[at]}" in
    (${paths.join(" | ")}) node="$node \${words[at]}" ;;
    esac
  done
  case "$node \${words[CURRENT - 1]}" in
${values.join("")}  esac
  case "$node" in
${words.join("")}  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option dashed
  elif ((\${#plain})); then
    _describe command plain
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function described({ name, meaning }: Described): string {
  const text = name.replaceAll(":", "\\:");
  return quoted(meaning === "" ? text : `${text}:${meaning}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
