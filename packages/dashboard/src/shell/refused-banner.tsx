import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isSample } from "../client/base-path.ts";
import { billingQuery } from "../client/billing-query.ts";
import { paths } from "../paths.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";

/** While traces are refused, nothing tells it on the pages but what is missing on them. */
const REFETCH_MS = 30_000;

/** Says on every page that traces are refused because the plan is used up: how many requests, since when, and until when. */
export function RefusedBanner() {
  const { data } = useQuery({ ...billingQuery, refetchInterval: REFETCH_MS, enabled: !isSample });
  if (!data?.refused || data.sessionsUsed < data.sessionsLimit) return null;
  const { requests, since } = data.refused;
  // Without a payment provider there is only the plan that everybody has.
  const hasPlans = data.tiers.length > 1;
  return (
    <aside
      aria-label="Traces are refused"
      role="alert"
      className="tinted flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 [--tint:var(--color-error)]"
    >
      <span className="font-medium">
        {hasPlans ? "Your plan is" : "The limit of this server is"} used up: {requests.toLocaleString("en")}{" "}
        {requests === 1 ? "request" : "requests"} with new traces {requests === 1 ? "was" : "were"} refused
        since <RelativeTime instant={since} />. It resets <RelativeTime instant={data.resetsAt} />.
      </span>
      <Link to={paths.billing} className={`${buttonStyle()} ml-auto`}>
        {hasPlans ? "See plans" : "See usage"}
      </Link>
    </aside>
  );
}
