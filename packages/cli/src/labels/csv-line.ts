/** Splits a line of CSV into its fields; undefined if its quotes are wrong. */
export function csvFields(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  for (let at = 0; ;) {
    const [whole = "", quoted, plain] =
      /^\s*"((?:[^"]|"")*)"\s*|^([^",]*)/.exec(line.slice(at)) ?? [];
    fields.push(quoted === undefined ? (plain ?? "").trim() : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (at >= line.length) return fields;
    if (line[at] !== ",") return undefined;
    at++;
  }
}
