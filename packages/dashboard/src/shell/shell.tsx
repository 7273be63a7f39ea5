import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { isUnlimited } from "@whytrace/contract";
import { useId, useState } from "react";
import { isSample } from "../client/base-path.ts";
import { billingQuery } from "../client/billing-query.ts";
import { issueCountsQuery } from "../client/issue-counts-query.ts";
import { useIssuesChanged } from "../client/live.ts";
import { paths } from "../paths.ts";
import { Kbd, typeLabel } from "../ui/badges.tsx";
import { PALETTE_KEYS, useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { LiveIndicator } from "./live-indicator.tsx";
import { RefusedBanner } from "./refused-banner.tsx";
import { SampleBanner } from "./sample-banner.tsx";
import { toggleTheme } from "./theme.ts";
import { ThemeButton } from "./theme-button.tsx";
import { VerificationBanner } from "./verification-banner.tsx";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const SECTIONS = [
  { to: paths.home, label: "Overview", keys: "g o" },
  { to: paths.issues, label: "Inbox", keys: "g i" },
  { to: paths.traces, label: "Traces", keys: "g t", under: paths.compare },
  { to: paths.decisions, label: "Decisions", keys: "g d" },
  { to: paths.why, label: "Why", keys: "g w" },
  { to: paths.scores, label: "Scores", keys: "g c" },
  { to: paths.agents, label: "Agents", keys: "g a" },
  { to: paths.agentSessions, label: "Sessions", keys: "g s" },
  { to: paths.alerts, label: "Alerts", keys: "g l" },
  { to: paths.apiKeys, label: "Settings", keys: "g k", under: "/settings/" },
] as const;

const LINK =
  "flex min-h-8 items-center gap-2 whitespace-nowrap rounded-md px-2 font-medium text-muted hover:text-text max-md:min-h-11";

const LAYOUT =
  "grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] md:grid-cols-[212px_minmax(0,1fr)] md:grid-rows-1";
const ACTIVE = "bg-sunken text-text";

export function Shell() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [dialog, setDialog] = useState<"help" | "palette" | null>(null);
  /** On a phone the sections are behind a button. */
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const menuId = useId();
  const inMenu = isMenuOpen ? "" : "max-md:hidden";
  const goTo = Object.fromEntries(SECTIONS.map(({ to, keys }) => [keys, () => void navigate({ to })]));
  useShortcuts({ ...goTo, "?": () => setDialog("help"), t: toggleTheme });
  return (
    <div className={LAYOUT}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:bg-bg focus:p-2"
      >
        Skip to content
      </a>
      <header className="flex min-w-0 gap-1 border-line bg-panel p-2.5 max-md:relative max-md:flex-wrap max-md:items-center max-md:border-b max-md:px-1.5 max-md:py-0.5 md:sticky md:top-0 md:h-dvh md:flex-col md:border-r">
        <Link
          to={paths.home}
          aria-label="Whytrace"
          className="flex items-center gap-2 px-2 text-base font-semibold md:pb-3"
        >
          <Logo />
          <span className="max-md:sr-only">Whytrace</span>
        </Link>
        {!isSample && <WorkspaceSwitcher />}
        <nav
          id={menuId}
          aria-label="Main"
          className={`grid min-w-0 gap-0.5 max-md:order-1 max-md:w-full max-md:grid-cols-5 md:flex md:flex-col ${inMenu}`}
        >
          {SECTIONS.filter(({ to }) => !(isSample && (to === paths.apiKeys || to === paths.alerts))).map(
            ({ to, label, keys, ...section }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === paths.home, includeSearch: false }}
                className={`${LINK} max-md:justify-center max-md:gap-1 max-md:px-0 max-md:text-xs max-[359px]:text-[11px] ${"under" in section && pathname.startsWith(section.under) ? ACTIVE : ""}`}
                activeProps={{ className: ACTIVE }}
                onClick={() => setIsMenuOpen(false)}
              >
                {label}
                {to === paths.issues && <NewIssues />}
                <span className="ml-auto max-md:hidden">
                  <Kbd>{keys}</Kbd>
                </span>
              </Link>
            ),
          )}
        </nav>
        <button type="button" className={`${LINK} max-md:ml-auto`} onClick={() => setDialog("palette")}>
          Go to…
          <span className="ml-auto max-md:hidden">
            <Kbd>{PALETTE_KEYS}</Kbd>
          </span>
        </button>
        <ThemeButton className={`${LINK} max-md:order-1 ${inMenu}`} />
        {!isSample && (
          <>
            <LiveIndicator />
            <UsageMeter />
          </>
        )}
        <button
          type="button"
          aria-expanded={isMenuOpen}
          aria-controls={menuId}
          className={`${LINK} md:hidden`}
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          Menu
          <NewIssues />
        </button>
      </header>
      <div className="flex min-w-0 flex-col">
        <SampleBanner />
        <VerificationBanner />
        <RefusedBanner />
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
      <HelpDialog isOpen={dialog === "help"} onClose={() => setDialog(null)} />
      <CommandPalette
        isOpen={dialog === "palette"}
        onOpen={() => setDialog("palette")}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}

/** The layout while the session is loading. */
export function ShellSkeleton() {
  return (
    <div className={LAYOUT}>
      <div className="min-h-12.25 border-line bg-panel max-md:border-b md:border-r" />
      <main>
        <PageSkeleton />
      </main>
    </div>
  );
}

/** A page whose chunk takes more than a moment. */
export function PageSkeleton() {
  return (
    <div className="pt-14">
      <SkeletonRows />
    </div>
  );
}

/** How many issues are new or have regressed. */
function NewIssues() {
  const { data, refetch } = useQuery(issueCountsQuery);
  useIssuesChanged(() => void refetch());
  const count = data ? data.new + data.regressed : 0;
  if (count === 0) return null;
  return (
    <span className="rounded-full bg-accent px-1.5 text-[11px] max-[359px]:px-1 max-[359px]:text-[10px] font-semibold leading-4.5 text-bg">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> new or regressed</span>
    </span>
  );
}

/** How much of the plan's limit is used. */
function UsageMeter() {
  const { data } = useQuery(billingQuery);
  if (!data || isUnlimited(data.sessionsLimit)) return null;
  const share = Math.min(1, data.sessionsUsed / data.sessionsLimit);
  const tint = share >= 1 ? "bg-error" : share >= 0.8 ? "bg-retry" : "bg-accent";
  return (
    <Link
      to={paths.billing}
      className="mt-auto grid gap-2 border-t border-line px-2 pt-3 text-muted hover:text-text max-md:hidden"
    >
      <span>
        {typeLabel(data.tier)} · {data.sessionsUsed.toLocaleString("en")} of{" "}
        {data.sessionsLimit.toLocaleString("en")} {data.period === "day" ? "today" : ""}
      </span>
      <span className="block h-1 overflow-hidden rounded bg-sunken">
        <span className={`block h-full ${tint}`} style={{ width: `${share * 100}%` }} />
      </span>
    </Link>
  );
}

export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className="text-accent">
      <path
        d="M3 3v4c0 4 7 3 7 7v3M17 3v4c0 4-7 3-7 7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <rect
        x="7.4"
        y="10.6"
        width="5.2"
        height="5.2"
        rx="1"
        transform="rotate(45 10 13.2)"
        fill="currentColor"
      />
    </svg>
  );
}
