import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

/** An action that changes the service, and then reloads all shown data. */
export function useAction<Answer, Given = void>(
  act: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queries.invalidateQueries(),
  });
}

interface Started {
  readonly submittedAt: number;
  readonly error: Error | null;
}

export function latestOf(first: Started, ...others: readonly Started[]): Started {
  return others.reduce(
    (latest, one) => (one.submittedAt > latest.submittedAt ? one : latest),
    first,
  );
}
