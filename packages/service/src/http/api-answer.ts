/**
 * A response body as defined in `openapi.yaml`, except that any string may replace an enum value,
 * because stored records contain plain strings. JSON omits undefined members.
 */
export type ApiAnswer<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly ApiAnswer<Item>[]
        : T extends object
          ? { readonly [Name in keyof T]: ApiAnswer<T[Name]> | OptionalOf<T[Name]> }
          : T;

type OptionalOf<T> = undefined extends T ? undefined : never;
