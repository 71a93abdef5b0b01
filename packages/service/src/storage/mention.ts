/**
 * Make a test for texts that mention a subject, as JSON or in a sentence: `1.2.3.4` is in
 * "from 1.2.3.4." and not in "11.2.3.45".
 */
export function mentionOf(subject: string): (text: string) => boolean {
  const written = JSON.stringify(subject).slice(1, -1);
  const literal = written.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const mention = new RegExp(`(?<![\\w.:@+-])${literal}(?!\\w|[.:@+-]\\w)`, "i");
  return (text) => mention.test(text);
}
