import { useQuery } from "@tanstack/react-query";
import { ApiError, api } from "../client/api.ts";
import { isSample } from "../client/base-path.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";

/** Whether the visitor has an account of their own. It is asked outside of the sample. */
const visitorQuery = {
  queryKey: ["visitor"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await fetch("/api/auth/session", { credentials: "same-origin", signal })).ok,
};

const RETRY_MS = 2_000;

/** Whether the sample is there: it is made when somebody opens it for the first time. */
const readyQuery = {
  queryKey: ["sample"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    await api("GET /api/traces", { query: { limit: 1 }, signal });
    return true;
  },
  retry: (_count: number, error: Error) => error instanceof ApiError && error.status === 503,
  retryDelay: RETRY_MS,
};

/** Says on every page of the sample what it is, and the way out of it. */
export function SampleBanner() {
  const { data: isSignedIn } = useQuery({ ...visitorQuery, enabled: isSample });
  const { failureReason } = useQuery({ ...readyQuery, enabled: isSample });
  if (!isSample) return null;
  return (
    <aside
      aria-label="Sample workspace"
      className="tinted flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 [--tint:var(--color-accent)]"
    >
      <span role="status" className="font-medium">
        {failureReason === null
          ? "Sample: a simulated month of several agents. Everybody may read it, and nobody can change it."
          : `${failureReason.message} This page loads by itself.`}
      </span>
      {/* A plain link: the pages of an account are another application, with another base path. */}
      <a href={isSignedIn ? paths.home : paths.register} className={`${buttonStyle()} md:ml-auto`}>
        {isSignedIn ? "Back to your traces" : "Create an account"}
      </a>
    </aside>
  );
}
