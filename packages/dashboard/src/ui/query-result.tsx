import type { ReactNode } from "react";
import { LoadError } from "./notice.tsx";

interface QueryResultProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => Promise<unknown> };
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** Renders a query: its skeleton, its error, or its data. After a failed refetch the old data stays below the error. */
export function QueryResult<T>({ query: { data, error, refetch }, skeleton, children }: QueryResultProps<T>) {
  return (
    <>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && skeleton}
    </>
  );
}
