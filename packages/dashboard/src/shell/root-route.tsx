import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  type ErrorComponentProps,
  Link,
  Outlet,
  useRouter,
} from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { LoadError } from "../ui/notice.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

/** Catches any error that a page throws. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <main className="mx-auto max-w-lg py-16">
      <h1 className="px-6 text-lg font-semibold">Something went wrong</h1>
      <LoadError
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
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
