/**
 * Parses a body as JSON or as a form, by its type.
 *
 * A field that a form has twice, or with brackets (`email[]`, `email[x]`), is a list: no two readers may
 * take a different text for the same field.
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

/**
 * Parses a body for a handler that need not look at its type: as JSON, whatever the type says, by its type,
 * and as a form with an email where neither reads it. A field that both of the first readings have is a
 * list, so that no sender chooses which of them is judged.
 *
 * @returns As {@link parseBody}.
 */
export function parseAnyBody(contentType: string | null, text: string): unknown {
  const typed = parseBody(contentType, text);
  const json = parseBody("application/json", text);
  if (typeof typed !== "object" || typeof json !== "object") return typed ?? json ?? formIn(text);
  if (typed === null || json === null || JSON_TYPE.test(contentType ?? "")) return typed ?? json;
  return fieldsOf([...Object.entries(typed), ...Object.entries(json)]);
}

function formIn(text: string): object | undefined {
  const fields = fieldsOf(new URLSearchParams(text));
  return Object.hasOwn(fields, "email") ? fields : undefined;
}

/**
 * Parses the bytes of a body for a handler that reads them as it likes: {@link parseAnyBody}, and the fields
 * of multipart forms.
 */
export async function parseBytes(contentType: string | null, bytes: Uint8Array): Promise<unknown> {
  const type = contentType ?? "";
  const form = MULTIPART_TYPE.test(type) && (await formOf(type, bytes));
  // Unlike `Buffer`, it leaves out a byte order mark, as `request.json()` does.
  return form || parseAnyBody(contentType, new TextDecoder().decode(bytes));
}

function formOf(type: string, bytes: Uint8Array): Promise<object | undefined> {
  const copy = new Response(new Uint8Array(bytes), { headers: { "content-type": type } });
  // oxlint-disable-next-line typescript/no-deprecated -- It reads what the handler will read.
  return copy.formData().then(fieldsOf, () => undefined);
}

const MULTIPART_TYPE = /^\s*multipart\/form-data\b/i;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/** {@link parseBody} for a form that was read. */
export function fieldsOf(form: Iterable<[string, unknown]>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [field, value] of form) {
    const [name = ""] = field.split("[", 1);
    const earlier = fields.get(name);
    if (name !== field || earlier !== undefined) fields.set(name, [earlier, value].flat());
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}
