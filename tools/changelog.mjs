/**
 * Headings of Keep a Changelog, by what a changeset asks of the version. Before 1.0 a minor version
 * may break, so that its author may move the line to another heading.
 */
const HEADINGS = { major: "Changed", minor: "Added", patch: "Fixed" };
const UNRELEASED = "## [Unreleased]";

/**
 * A change as its author described it.
 *
 * @typedef {object} Change
 * @property {keyof typeof HEADINGS} type
 * @property {string} summary
 */

/**
 * Whether a changelog has a section for a version.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function hasSection(changelog, version) {
  return changelog.includes(`\n## [${version}] - `);
}

/**
 * Turn what is unreleased, and the changes, into the section of a version.
 *
 * @param {string} changelog
 * @param {{ version: string, date: string, changes: readonly Change[] }} release `date` as in
 *   2027-01-31.
 * @returns {string}
 */
export function withRelease(changelog, { version, date, changes }) {
  if (hasSection(changelog, version)) {
    throw new Error(`CHANGELOG.md has a section for ${version} already: add a changeset first`);
  }
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) throw new Error(`CHANGELOG.md has no heading "${UNRELEASED}"`);
  const from = start + UNRELEASED.length;
  const next = changelog.indexOf("\n## [", from);
  const end = next === -1 ? changelog.length : next;
  const section = changes.reduce(withChange, changelog.slice(from, end).trim());
  if (section === "") throw new Error("There is nothing to release: add a changeset first");
  const rest = changelog.slice(end).trim();
  return [changelog.slice(0, from), `## [${version}] - ${date}`, section, rest]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/**
 * @param {string} section
 * @param {Change} change
 */
function withChange(section, { type, summary }) {
  const heading = `### ${HEADINGS[type]}`;
  const line = `- ${summary.trim().replaceAll("\n", "\n  ")}`;
  const blocks = section.split(/\n+(?=### )/).filter((block) => block !== "");
  const index = blocks.findIndex((block) => block.split("\n")[0] === heading);
  if (index === -1) blocks.push(`${heading}\n\n${line}`);
  else blocks[index] += `\n${line}`;
  return blocks.join("\n\n");
}
