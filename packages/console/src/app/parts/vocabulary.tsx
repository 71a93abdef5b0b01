import { useQuery } from "@tanstack/react-query";
import { readDocument } from "../call.js";

/** Words of the service that a form offers. */
export interface Vocabulary {
  readonly eventKinds: readonly string[];
  readonly incidentGenres: readonly string[];
}

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  };
}

const NOTHING: Vocabulary = { eventKinds: [], incidentGenres: [] };

/** Reads the words out of the description of the service's API. */
export function useVocabulary(): Vocabulary {
  const { data } = useQuery({
    queryKey: ["/openapi.json"],
    queryFn: () => readDocument<Document>("/openapi.json"),
    staleTime: Infinity,
  });
  if (!data) return NOTHING;
  const { EventKind, IncidentGenre } = data.components.schemas;
  return { eventKinds: EventKind?.enum ?? [], incidentGenres: IncidentGenre?.enum ?? [] };
}
