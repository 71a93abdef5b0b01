/** @param {number} share */
export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/**
 * A Markdown table whose columns, except the first, are aligned to the right.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map(line).join("\n");
}
