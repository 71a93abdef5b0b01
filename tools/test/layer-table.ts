/** For each package or folder, those that it may import. */
export type Layers = Readonly<Record<string, readonly string[]>>;

const CODE = /`([^`]+)`/g;

const codeIn = (cell: string): string[] => [...cell.matchAll(CODE)].map(([, name = ""]) => name);

/**
 * Reads the tables of `docs/architecture.md` by the text of their first heading cell. The first cell
 * of a row names packages or folders, the last one what they may import.
 */
export function layerTables(markdown: string): Map<string, Layers> {
  const tables = new Map<string, Record<string, readonly string[]>>();
  let current: Record<string, readonly string[]> | undefined;
  for (const line of markdown.split("\n")) {
    if (!line.startsWith("|")) {
      current = undefined;
      continue;
    }
    const cells = line.split("|").slice(1, -1);
    const [first = "", last = ""] = [cells[0], cells.at(-1)];
    if (current === undefined) {
      current = {};
      if (last.trim() === "May import") tables.set(first.replaceAll("`", "").trim(), current);
    } else if (!first.includes("---")) {
      for (const name of codeIn(first)) current[name] = codeIn(last);
    }
  }
  return tables;
}
