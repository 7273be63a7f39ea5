import { useMutation, useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { type Billing, isUnlimited, type TierTerms } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { billingQuery } from "../client/billing-query.ts";
import { retentionQuery } from "../client/retention-query.ts";
import { useRoleRefusal } from "../client/use-role.ts";
import { RoleNote } from "../shell/role-note.tsx";
import { Button } from "../ui/controls/button.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { formatRetentionDays } from "./format-retention-days.ts";
import { SettingsLayout, SettingsSection } from "./settings-layout.tsx";

const ROUTE = "/signed-in/settings/billing";
const route = getRouteApi(ROUTE);

export const billingPage = createLazyRoute(ROUTE)({ component: BillingPage });

type PaidTier = Exclude<TierTerms["tier"], "FREE">;

function BillingPage() {
  const { checkout } = route.useSearch();
  // After a checkout, the payment provider's webhook may not have arrived yet: poll.
  const billing = useQuery({ ...billingQuery, refetchInterval: checkout ? 2_000 : false });
  const { data: retention } = useQuery(retentionQuery);
  const isOwner = useRoleRefusal("owner") === undefined;
  const open = useMutation({
    mutationFn: (tier: PaidTier | undefined) =>
      tier === undefined
        ? api("POST /api/billing/portal", { body: {} })
        : api("POST /api/billing/checkout", { body: { tier } }),
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <SettingsLayout>
      {checkout && billing.data?.tier === "FREE" && (
        <Notice tone="completed">Thank you! Your plan will change once the payment is confirmed.</Notice>
      )}
      {open.error && <ErrorNotice error={open.error} />}
      <QueryResult query={billing} skeleton={<BillingSkeleton />}>
        {(data) => (
          <>
            <Usage billing={data} />
            {data.tiers.length > 1 && (
              <SettingsSection title="Plans">
                <RoleNote needed="owner" act="Changing the plan" />
                <ul className="grid gap-3 sm:grid-cols-3">
                  {data.tiers.map((terms) => (
                    <Plan
                      key={terms.tier}
                      terms={terms}
                      days={retention?.plans.find(({ tier }) => tier === terms.tier)?.days}
                      isCurrent={terms.tier === data.tier}
                      isPaying={data.tier !== "FREE"}
                      isChangeable={isOwner}
                      isPending={open.isPending}
                      onChoose={() => terms.tier !== "FREE" && open.mutate(terms.tier)}
                    />
                  ))}
                </ul>
                {data.tier !== "FREE" && isOwner && (
                  <div className="flex flex-wrap items-center gap-3">
                    <Button disabled={open.isPending} onClick={() => open.mutate(undefined)}>
                      Manage subscription
                    </Button>
                    <span id="plan-change" className="text-muted">
                      Change your plan, update your card or cancel.
                    </span>
                  </div>
                )}
              </SettingsSection>
            )}
          </>
        )}
      </QueryResult>
    </SettingsLayout>
  );
}

/** The usage and the three plans while they load. */
function BillingSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid animate-[fade-in_0s_150ms_both] gap-8">
      <div className="grid h-31 content-start gap-4">
        <SkeletonBar className="w-24" />
        <SkeletonBar className="w-64" />
        <SkeletonBar className="w-full" />
      </div>
      <div className="grid gap-3 pt-9 sm:grid-cols-3">
        {["FREE", "STARTER", "PRO"].map((tier) => (
          <div key={tier} data-skeleton className="h-45 rounded-md border border-line p-4">
            <SkeletonBar className="w-1/2" />
          </div>
        ))}
      </div>
    </div>
  );
}

function usageTint(share: number): string {
  if (share >= 1) return "[--tint:var(--color-error)]";
  return share >= 0.8 ? "[--tint:var(--color-retry)]" : "[--tint:var(--color-accent)]";
}

function Usage({
  billing: { tier, status, sessionsUsed, sessionsLimit, period, resetsAt, tiers },
}: {
  billing: Billing;
}) {
  const share = sessionsUsed / sessionsLimit;
  const format = (count: number) => count.toLocaleString("en");
  return (
    <SettingsSection title="Usage">
      {status === "past_due" && (
        <Notice tone="retry">Your last payment failed. Please update your payment method.</Notice>
      )}
      {share >= 1 && (
        <Notice tone="error">You have reached your limit. New traces are rejected until it resets.</Notice>
      )}
      {share >= 0.8 && share < 1 && <Notice tone="retry">You have used more than 80% of your limit.</Notice>}
      <p>
        Plan <strong>{tier}</strong>:{" "}
        {isUnlimited(sessionsLimit)
          ? "unlimited traces"
          : `${format(sessionsUsed)} of ${format(sessionsLimit)} traces ${period === "day" ? "today" : "this period"}`}
      </p>
      {!isUnlimited(sessionsLimit) && (
        <>
          <progress
            aria-label="Traces used"
            value={Math.min(sessionsUsed, sessionsLimit)}
            max={sessionsLimit}
            className={`h-2 w-full appearance-none overflow-hidden rounded bg-sunken [&::-moz-progress-bar]:bg-(--tint) [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-(--tint) ${usageTint(share)}`}
          />
          <p className="text-muted">
            Resets{" "}
            <time dateTime={resetsAt}>
              {period === "day" ? "at 00:00 UTC" : new Date(resetsAt).toISOString().slice(0, 10)}
            </time>
            . Each trace counts once, even if it is sent several times.
          </p>
          {tiers.length === 1 && (
            <p className="text-muted">
              This server sells no plans. Its operator lifts the limit with{" "}
              <code>FREE_SESSIONS_PER_DAY=unlimited</code>.
            </p>
          )}
        </>
      )}
    </SettingsSection>
  );
}

interface PlanProps {
  terms: TierTerms;
  /** For how many days traces are kept; null without a limit, undefined while unknown. */
  days: number | null | undefined;
  isCurrent: boolean;
  isPaying: boolean;
  isChangeable: boolean;
  isPending: boolean;
  onChoose: () => void;
}

function Plan({
  terms: { tier, sessionsLimit, period, priceUsd },
  days,
  isCurrent,
  isPaying,
  isChangeable,
  isPending,
  onChoose,
}: PlanProps) {
  return (
    <li
      className={`grid content-start gap-2 rounded-md border p-4 ${isCurrent ? "border-accent" : "border-line"}`}
    >
      <h3 className="font-semibold">{tier}</h3>
      <p>
        <span className="text-xl font-semibold">${priceUsd}</span>{" "}
        <span className="text-muted">per month</span>
      </p>
      <p className="text-muted">
        {isUnlimited(sessionsLimit)
          ? "Unlimited traces"
          : `${sessionsLimit.toLocaleString("en")} traces per ${period}`}
      </p>
      <p className="min-h-5 text-muted">
        {days !== undefined &&
          (days === null ? "Traces kept for ever" : `Traces kept for ${formatRetentionDays(days)}`)}
      </p>
      {isCurrent ? (
        <p className="font-medium text-accent">Current plan</p>
      ) : (
        priceUsd > 0 &&
        isChangeable && (
          <Button
            kind="primary"
            disabled={isPending || isPaying}
            onClick={onChoose}
            aria-describedby={isPaying ? "plan-change" : undefined}
          >
            Choose {tier}
          </Button>
        )
      )}
    </li>
  );
}
