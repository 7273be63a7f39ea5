import type { ReactNode } from "react";
import { Failure } from "./notice.tsx";

interface QueriedProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => Promise<unknown> };
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** What was asked for: its shape while it comes, why it does not come, or itself, which a failed refresh leaves. */
export function Queried<T>({ query: { data, error, refetch }, skeleton, children }: QueriedProps<T>) {
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && skeleton}
    </>
  );
}
