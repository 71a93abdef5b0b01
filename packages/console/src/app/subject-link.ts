/** The page of an address. */
export function addressPath(ip: string): string {
  return `/addresses/${encodeURIComponent(ip)}`;
}

/** The page of an account. */
export function accountPath(account: string): string {
  return `/accounts/${encodeURIComponent(account)}`;
}

/** The address or account of a page's path. The router would decode it differently. */
export function subjectIn(pathname: string): string {
  const segment = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    // A link that somebody has cut off.
    return segment;
  }
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)$/i;

/** The page of an address or an account, as somebody types it. */
export function subjectPath(text: string): string {
  return ADDRESS.test(text) ? addressPath(text) : accountPath(text);
}
