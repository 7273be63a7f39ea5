import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  type ErrorComponentProps,
  Link,
  Outlet,
  useRouterState,
} from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { PageError } from "./page-error.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <NavigationProgress />
      <Outlet />
    </>
  ),
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

/** A line at the top while the next page loads. Most pages are there before it appears. */
function NavigationProgress() {
  const isLoading = useRouterState({ select: ({ status }) => status === "pending" });
  if (!isLoading) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading"
      className="fixed inset-x-0 top-0 z-30 h-0.5 animate-[fade-in_0s_150ms_both] overflow-hidden"
    >
      <div className="h-full bg-accent motion-safe:animate-[progress_1.2s_ease-in-out_infinite]" />
    </div>
  );
}

/** Catches any error that a page throws. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <main className="mx-auto max-w-lg py-16">
      <PageError title="Something went wrong" error={error} />
    </main>
  );
}

export function NotFoundPage() {
  return (
    <main className="mx-auto grid max-w-md justify-items-center gap-4 px-6 py-16 text-center">
      <h1 className="text-lg font-semibold">Page not found</h1>
      <p className="text-muted">
        The link may be outdated, the item may have been deleted, or it may belong to another account.
      </p>
      <Link to={paths.traces} className={buttonStyle("primary")}>
        Go to your traces
      </Link>
    </main>
  );
}
