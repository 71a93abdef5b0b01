import type { AdminAnswer, AdminQuestion, AdminRoute } from "@riskgate/api-types";
import { useQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../call.js";

/** Calls the administration API; every action repeats the call. */
export function useAnswer<Route extends AdminRoute>(
  route: Route,
  question: AdminQuestion<Route>,
  options: Pick<
    UseQueryOptions<AdminAnswer<Route>>,
    "enabled" | "placeholderData" | "refetchInterval" | "staleTime"
  > = {},
): UseQueryResult<AdminAnswer<Route>> {
  return useQuery({
    queryKey: [route, question],
    queryFn: () => call(route, question),
    ...options,
  });
}
