import { createRoute, type ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../client/api.ts";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { PageError } from "../shell/page-error.tsx";
import { rootRoute } from "../shell/root-route.tsx";
import { parseTraceSearchParams } from "../trace/model/trace-search-params.ts";
import { TraceSkeleton } from "../trace/trace-skeleton.tsx";
import { SharedLayout } from "./shared-layout.tsx";
import { sharedQuery } from "./shared-query.ts";

/** A trace for everybody who has its link, without an account. */
export const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.shared,
  validateSearch: parseTraceSearchParams,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(sharedQuery(params.token)),
  pendingMs: 0,
  pendingMinMs: 0,
  pendingComponent: () => (
    <SharedLayout>
      <TraceSkeleton />
    </SharedLayout>
  ),
  errorComponent: SharedError,
}).lazy(() => importPage(() => import("./shared-page.tsx")).then(({ sharedPage }) => sharedPage));

function SharedError({ error }: ErrorComponentProps) {
  return (
    <SharedLayout>
      <div className="mx-auto w-full max-w-lg px-4 py-16">
        {error instanceof ApiError && error.status === 404 ? (
          <>
            <h1 className="text-lg font-semibold">This link does not work</h1>
            <p className="pt-2 text-muted">
              It may have expired, or its owner revoked it or deleted the trace. Ask the person who sent it
              for a new one.
            </p>
          </>
        ) : (
          <PageError title="Could not load this trace" error={error} />
        )}
      </div>
    </SharedLayout>
  );
}
