import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";

/** Something that changes the service; whatever is shown is asked for again afterwards. */
export function useAction<Answer, Given = void>(
  act: (given: Given) => Promise<Answer>,
): UseMutationResult<Answer, Error, Given> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queries.invalidateQueries(),
  });
}

/** What two actions have in common, whatever they take and answer. */
interface Started {
  readonly submittedAt: number;
  readonly error: Error | null;
}

/** The action that was started last: what came of the others before it is no longer news. */
export function latestOf(first: Started, ...others: readonly Started[]): Started {
  return others.reduce(
    (latest, one) => (one.submittedAt > latest.submittedAt ? one : latest),
    first,
  );
}
