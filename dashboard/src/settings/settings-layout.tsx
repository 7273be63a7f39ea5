import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";
import { PageHeader } from "../ui/page-header.tsx";

const TABS = [
  { to: paths.apiKeys, label: "API keys" },
  { to: paths.links, label: "Links" },
  { to: paths.prices, label: "Prices" },
  { to: paths.billing, label: "Billing" },
  { to: paths.account, label: "Account" },
] as const;

export function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings" />
      <nav
        aria-label="Settings"
        className="flex gap-5 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] max-sm:gap-4"
      >
        {TABS.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="flex min-h-10 shrink-0 items-center border-b-2 border-transparent font-medium text-muted max-sm:min-h-11"
            activeProps={{ className: "border-accent! text-text!" }}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] gap-8 p-4 pb-16">{children}</div>
    </>
  );
}

export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
