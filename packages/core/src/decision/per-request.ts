/**
 * Creates storage that the gates of one request share: one value per request and owner, such as a
 * lookup or a velocity. It lives as long as both. The owner's type is a parameter because one
 * object may own values in two of these.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Callers specify their owner.
export function perRequest<Owner extends object, T extends object>(
  make: () => T,
): (request: object, owner: Owner) => T {
  const memories = new WeakMap<object, WeakMap<Owner, T>>();
  return (request, owner) => {
    let byOwner = memories.get(request);
    if (!byOwner) memories.set(request, (byOwner = new WeakMap<Owner, T>()));
    let value = byOwner.get(owner);
    if (!value) byOwner.set(owner, (value = make()));
    return value;
  };
}
