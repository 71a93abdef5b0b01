/**
 * Returns true if a Content-Type is JSON that can be read as UTF-8. Source: specification, call to
 * the webhook; parameters other than `charset` have no meaning for JSON.
 */
export function isJsonInUtf8(contentType: unknown): boolean {
  if (contentType === "application/json") return true;
  if (typeof contentType !== "string") return false;
  const [type, ...parameters] = contentType.toLowerCase().split(";");
  return (
    type?.trim() === "application/json" &&
    parameters.every((parameter) => {
      const match = PARAMETER.exec(parameter.trim());
      if (!match) return parameter.trim() === "";
      const [, name, quoted, token] = match;
      return name !== "charset" || (quoted ?? token) === "utf-8";
    })
  );
}

const PARAMETER = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))$/;
