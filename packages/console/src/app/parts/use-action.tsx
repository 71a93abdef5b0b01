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
