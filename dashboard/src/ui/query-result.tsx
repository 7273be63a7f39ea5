import type { ReactNode } from "react";
import { LoadError } from "./notice.tsx";

interface QueryResultProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => Promise<unknown> };
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was asked for: its shape while it comes, why it does not come, or itself, which a failed refresh leaves. */
export function QueryResult<T>({ query: { data, error, refetch }, skeleton, children }: QueryResultProps<T>) {
  return (
    <>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && skeleton}
    </>
  );
}
