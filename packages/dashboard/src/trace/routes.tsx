import { createRoute, type ErrorComponentProps, notFound } from "@tanstack/react-router";
import { ApiError } from "../client/api.ts";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { PageError } from "../shell/page-error.tsx";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { outlineQuery } from "./model/outline.ts";
import { parseTraceSearchParams } from "./model/trace-search-params.ts";
import { TraceSkeleton } from "./trace-skeleton.tsx";

/** Starts fetching the outline while the page's own chunk loads. */
export const traceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.trace,
  validateSearch: parseTraceSearchParams,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(outlineQuery(params.id)).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }),
  pendingMs: 0,
  pendingMinMs: 0,
  pendingComponent: TraceSkeleton,
  errorComponent: TraceError,
}).lazy(() => importPage(() => import("./trace-page.tsx")).then(({ tracePage }) => tracePage));

function TraceError({ error }: ErrorComponentProps) {
  return (
    <div className="p-4">
      <PageError title="Could not load this trace" error={error} />
    </div>
  );
}
