/** Names a member of a JSON object in words: `webhookUrl` is "webhook URL". */
export function memberWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/\b(?:url|id)\b/g, (word) => word.toUpperCase());
}
