/**
 * Parses a body as an application does that looks at its type. A field that a form has twice, or with
 * brackets, is a list.
 *
 * @returns Undefined for any other type, and if the text cannot be parsed.
 */
export function parseBody(contentType: string | null, text: string): unknown {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return fieldsOf(new URLSearchParams(text));
  if (type !== "application/json") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fieldsOf(form: URLSearchParams): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [field, value] of form) {
    const [name = ""] = field.split("[", 1);
    const earlier = fields.get(name);
    if (name !== field || earlier !== undefined) fields.set(name, [earlier, value].flat());
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
