import type { CompletionNode, CompletionOption } from "./completion-node.js";

export function writeFishCompletion(name: string, nodes: readonly CompletionNode[]): string {
  const paths = nodes.slice(1).map(({ path }) => quoted(path));
  const lines = nodes.flatMap(({ path, commands, options, values }) => {
    const start = `complete -c ${name} -n ${quoted(`__${name}_at ${path}`)}`;
    return [
      ...commands.map((one) => `${start} -f -a ${one.name} -d ${quoted(one.meaning)}`),
      ...(values.length > 0 ? [`${start} -f -a ${quoted(values.join(" "))}`] : []),
      ...options.map((option) => `${start} ${flagsOf(option)} -d ${quoted(option.meaning)}`),
    ];
  });
  return `# Completion of ${name} for fish. Load it with: ${name} completion fish | source
function __${name}_at
  set -l node ${name}
  for word in (commandline -opc)[2..-1]
    switch "$node $word"
      case ${paths.join(" ")}
        set node "$node $word"
    end
  end
  test "$node" = "$argv"
end
${lines.join("\n")}
`;
}

function flagsOf({ names, takesValue, choices }: CompletionOption): string {
  const flags = names.map((one) =>
    one.startsWith("--") ? `-l ${one.slice(2)}` : `-s ${one.slice(1)}`,
  );
  if (takesValue) flags.push(choices.length > 0 ? `-x -a ${quoted(choices.join(" "))}` : "-r -F");
  return flags.join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
