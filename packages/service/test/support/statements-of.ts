import type { CompiledQuery, QueryExecutor } from "kysely";
import type { Database } from "../../src/storage/database.js";

/** Collects the statements that a database executes from now on, also in transactions. */
export function statementsOf(database: Database): readonly CompiledQuery[] {
  const seen: CompiledQuery[] = [];
  const watch = (executor: QueryExecutor): QueryExecutor => {
    const execute = executor.executeQuery.bind(executor);
    const provide = executor.withConnectionProvider.bind(executor);
    executor.executeQuery = <R>(query: CompiledQuery<R>) => {
      seen.push(query);
      return execute<R>(query);
    };
    executor.withConnectionProvider = (provider) => watch(provide(provider));
    return executor;
  };
  watch(database.getExecutor());
  return seen;
}
